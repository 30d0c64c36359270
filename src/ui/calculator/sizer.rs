//! The calculator's signals: one scenario, a second to compare it with, and what follows from each.

use super::levers::answers;
use super::share::{self, Address};
use crate::catalog::{Card, Engine};
use crate::i18n::Texts;
use crate::message::{Arg, Message};
use crate::scenario::{CardKind, Scenario, Task};
use crate::sizing::{
    Estimate, Fits, Placement, Solved, cards_for, estimate, kv_cache, kv_pool, placement, pool, solve_all, streamed,
    usable, weights,
};
use crate::ui::State;
use crate::units::Bytes;
use leptos::prelude::*;
use std::sync::{Arc, OnceLock};

/// How a change is made, which decides what the browser's history keeps.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum How {
    /// While typing: the address follows once it rests, and going back skips it.
    Typed,
    /// By one choice: a step to go back to.
    Picked,
}

/// The scenario in which nothing is set.
pub fn usual() -> &'static Scenario {
    static USUAL: OnceLock<Scenario> = OnceLock::new();
    USUAL.get_or_init(Scenario::default)
}

/// What follows from a scenario.
#[derive(Default)]
pub struct Result {
    /// What it needs of its fullest card; nothing without a model.
    pub estimate: Option<Estimate>,
    /// What it can use of each card; nothing without one.
    pub usable: Option<Bytes>,
    /// Whether it fits.
    pub fits: Option<Fits>,
    /// Each lever's best value that fits.
    pub solved: Vec<Solved>,
    /// Where llama.cpp and Ollama put its layers, where that is asked for or not all fit.
    pub placed: Option<Placement>,
    /// Whether the engine leaves to the computer's memory what does not fit.
    pub spills: bool,
    /// The most of the weights that ComfyUI reads from the computer's memory to run all the same.
    pub streams: Option<Bytes>,
    /// How the engine is asked for all layers.
    pub all_layers: &'static str,
    /// How much KV cache an engine with a pool of it has in all.
    pub pool: Option<Message>,
    /// The maker's card with the least memory that the job fits on: surely, and likely.
    pub smallest: [Option<&'static Card>; 2],
    /// What one token of context takes, for a language model that answers; in training the moment of the peak.
    pub per_token: Option<Message>,
    /// Why a file of the weights differs from parameters × bytes.
    pub bare: Option<Message>,
}

impl Result {
    /// Sizes a scenario and solves its levers.
    #[inline(never)]
    pub fn of(scenario: &Scenario) -> Result {
        let estimate = estimate(scenario);
        let usable = usable(scenario);
        let moment = estimate.as_ref().and_then(|estimate| estimate.moment);
        let found = scenario.architecture().filter(|_| scenario.task == Task::Llm);
        let fits = estimate
            .as_ref()
            .zip(usable)
            .map(|(estimate, usable)| Fits::of(estimate.total, usable));
        let all = if fits.is_some() {
            cards_for(scenario)
        } else {
            Vec::new()
        };
        let vendor = match scenario.card() {
            Some(CardKind::Known(card)) => Some(card.vendor),
            _ => None,
        };
        let smallest = |is_likely: bool| {
            let fits = all.iter().filter(|fit| {
                let need = if is_likely { fit.need.mid } else { fit.need.high };
                fit.to_be_had
                    && !fit.card.unified
                    && vendor.is_none_or(|vendor| vendor == fit.card.vendor)
                    && fit.usable >= need
            });
            fits.min_by_key(|fit| fit.usable).map(|fit| fit.card)
        };
        let asks = |placed: &Placement| {
            scenario.engine == Engine::Ollama || scenario.gpu_layers.is_some() || placed.layers < placed.of
        };
        let pool = pool(scenario).filter(|_| answers(scenario)).and_then(|pool| {
            let tenths = (kv_pool::pool_requests(scenario, pool)? * 10.0).floor() as i64;
            let tokens = kv_pool::pool_tokens(scenario, pool).filter(|tokens| *tokens > 0)?;
            let message = Message::new("calc-pool-holds").with("tokens", tokens);
            Some(message.with("times", Arg::Number(tenths, 1)))
        });
        Result {
            pool,
            placed: placement(scenario).filter(|placed| answers(scenario) && usable.is_some() && asks(placed)),
            spills: scenario.engine.is_llama_cpp() && scenario.gpu_layers.is_none(),
            streams: estimate
                .as_ref()
                .zip(usable)
                .and_then(|(estimate, usable)| streamed(scenario, estimate, usable)),
            all_layers: match scenario.engine {
                Engine::Ollama => "num_gpu 99",
                _ => "-ngl 99",
            },
            fits,
            smallest: [smallest(false), smallest(true)],
            solved: if fits.is_some() {
                solve_all(scenario)
            } else {
                Vec::new()
            },
            per_token: found
                .map(|(model, known)| {
                    let cards = scenario.split();
                    let size = kv_cache::bytes_per_token(&model, scenario.k_cache, scenario.v_cache, cards);
                    let id = if known {
                        "calc-per-token"
                    } else {
                        "calc-per-token-unsure"
                    };
                    Message::new(id).with("size", size).with("cards", cards)
                })
                .or_else(|| Some(Message::new("size-moment").with("moment", moment?.id()))),
            // Of a file's own tensors nothing is computed.
            bare: found
                .filter(|_| scenario.tensors().is_none())
                .and_then(|(model, _)| weights::bare_differs(&model, scenario.format)),
            estimate,
            usable,
        }
    }
}

impl Result {
    /// Where the layers go that the engine, by itself, does not all put on the cards.
    pub fn spilled(&self) -> Option<Placement> {
        self.placed.filter(|placed| self.spills && placed.layers < placed.of)
    }

    /// The verdict as its sign shows it: a job that the engine runs with a part in the computer's memory is none that can't be.
    pub fn shown(&self) -> Option<Fits> {
        match self.fits {
            Some(Fits::No) if self.spilled().is_some() || self.streams.is_some() => Some(Fits::Tight),
            fits => fits,
        }
    }
}

/// Every signal of the calculator. Copied freely: it holds only their handles.
#[derive(Clone, Copy)]
pub struct Sizer {
    /// The page's own signals.
    pub state: State,
    /// Whether the calculator is in sight. While it is not, nothing is computed.
    pub shown: RwSignal<bool>,
    /// Whether the part of the program that the calculator needs is there; nothing until that is known.
    pub there: RwSignal<Option<bool>>,
    /// The scenario, and the one to compare it with.
    pub scenarios: [RwSignal<Scenario>; 2],
    /// Whether there are two.
    pub comparing: RwSignal<bool>,
    /// Which of them the inputs change.
    pub side: RwSignal<usize>,
    /// What follows from each.
    pub results: [Memo<Arc<Result>>; 2],
    /// What owns all that is built later.
    pub owner: StoredValue<Owner>,
    /// What of the link could not be used.
    pub notes: RwSignal<Vec<Message>>,
    /// What was read of a model's files.
    pub said: RwSignal<Vec<Message>>,
    /// The address as it was last read or written.
    pub address: StoredValue<Address>,
}

impl Sizer {
    /// The calculator of a page that opens: shows what the address says.
    pub fn new(state: State) -> Sizer {
        let shown = RwSignal::new(false);
        let comparing = RwSignal::new(false);
        let there = state.files.there;
        let scenarios = [RwSignal::new(Scenario::default()), RwSignal::new(Scenario::default())];
        let result = move |side: usize| {
            let compute = move |before: Option<&Arc<Result>>| {
                let needed = shown.get() && there.get() == Some(true) && (side == 0 || comparing.get());
                match before {
                    Some(before) if !needed => before.clone(),
                    None if !needed => Arc::default(),
                    _ => Arc::new(scenarios[side].with(Result::of)),
                }
            };
            Memo::new_with_compare(compute, |_, _| true)
        };
        let sizer = Sizer {
            state,
            shown,
            there,
            scenarios,
            comparing,
            side: RwSignal::new(0),
            results: [result(0), result(1)],
            owner: StoredValue::new(Owner::current().unwrap_or_default()),
            notes: RwSignal::new(Vec::new()),
            said: RwSignal::new(Vec::new()),
            address: StoredValue::new(Address::default()),
        };
        share::listen(sizer);
        sizer
    }

    /// Whether the part of the program that the calculator needs is there.
    pub fn is_there(self) -> bool {
        self.there.get_untracked() == Some(true)
    }

    /// The scenario that the inputs change.
    pub fn edited(self) -> RwSignal<Scenario> {
        self.scenarios[self.side.get() % 2]
    }

    /// A copy of the scenario that the inputs change.
    #[inline(never)]
    pub fn scenario(self) -> Scenario {
        self.edited().get()
    }

    /// The texts of now.
    pub fn texts(self) -> Texts {
        self.state.shown_texts()
    }

    /// Changes it, and the address after it.
    #[inline(never)]
    pub fn edit(self, how: How, change: &dyn Fn(&mut Scenario)) {
        share::before_change(self, how);
        untrack(|| self.edited()).update(change);
        share::after_change(self, how);
    }

    /// What follows from the scenario that the inputs change.
    #[inline(never)]
    pub fn result(self) -> Arc<Result> {
        self.results[self.side.get() % 2].get()
    }

    /// Shows the calculator, or the panel that reads errors.
    pub fn show(self, shown: bool) {
        if !self.is_there() {
            return self.shown.set(shown);
        }
        share::before_change(self, How::Picked);
        self.shown.set(shown);
        share::after_change(self, How::Picked);
    }

    /// Begins to compare with a copy, which the inputs then change; or ends it and keeps the first scenario.
    pub fn compare(self, comparing: bool) {
        share::before_change(self, How::Picked);
        if comparing {
            self.scenarios[1].set(self.scenarios[0].get_untracked());
        }
        self.side.set(usize::from(comparing));
        self.comparing.set(comparing);
        share::after_change(self, How::Picked);
    }
}
