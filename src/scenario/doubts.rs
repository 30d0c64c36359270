//! What in a scenario can be sized but would be refused or cut when it is run.

use super::{Scenario, Task};
use crate::message::Message;

impl Scenario {
    /// A sentence on each: `calc-beyond-model` (`most` tokens), `calc-beyond-cards` (`asked` cards of `cards`),
    /// `calc-uneven-heads` (`heads` over `cards`).
    pub fn doubts(&self) -> Vec<Message> {
        if matches!(self.task, Task::Image | Task::Video) {
            return Vec::new();
        }
        let beyond = self
            .beyond_model()
            .map(|most| Message::new("calc-beyond-model").with("most", most));
        let (asked, cards) = (self.split().saturating_mul(self.spread()), self.card_count());
        let more = (asked > cards && self.card().is_some()).then(|| {
            Message::new("calc-beyond-cards")
                .with("asked", asked)
                .with("cards", cards)
        });
        let heads = self.base().map_or(0, |model| model.heads);
        let split = self.split();
        // Source: vLLM's "Total number of attention heads (…) must be divisible by tensor parallel size", SGLang's assert likewise.
        let uneven = (self.task == Task::Llm && self.engine.has_pool() && heads % split.max(1) != 0).then(|| {
            Message::new("calc-uneven-heads")
                .with("heads", heads)
                .with("cards", split)
        });
        [beyond, more, uneven].into_iter().flatten().collect()
    }

    /// The most tokens that the model is made for, where the scenario asks for more.
    fn beyond_model(&self) -> Option<i64> {
        let tokens = match self.task {
            Task::Train => self.sequence,
            _ => self.context,
        };
        let most = self.base()?.context;
        (0 < most && most < tokens).then_some(most)
    }
}
