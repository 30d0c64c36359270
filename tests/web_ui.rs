//! The page's panels in a real browser: `./dev test web`.
#![cfg(target_arch = "wasm32")]

use leptos::prelude::document;
use vramfit::i18n::{Language, Texts};
use wasm_bindgen::JsCast;
use wasm_bindgen_test::{wasm_bindgen_test, wasm_bindgen_test_configure};
use web_sys::{Event, HtmlElement, HtmlInputElement, HtmlSelectElement, HtmlTextAreaElement};

wasm_bindgen_test_configure!(run_in_browser);

const ARTICLE: &str = "torch.OutOfMemoryError: CUDA out of memory. Tried to allocate 2.00 GiB.
GPU 0 has a total capacity of 23.65 GiB of which 1.12 GiB is free.
Of the allocated memory 20.10 GiB is allocated by PyTorch, and 1.31 GiB
is reserved by PyTorch but unallocated.";

const TENANT: &str = "torch.OutOfMemoryError: CUDA out of memory. Tried to allocate 148.00 MiB. GPU 0 has a total capacity of 79.25 GiB of which 11.19 MiB is free. Process 2635308 has 62.69 GiB memory in use. Including non-PyTorch memory, this process has 16.54 GiB memory in use. Of the allocated memory 15.94 GiB is allocated by PyTorch, and 205.65 MiB is reserved by PyTorch but unallocated.";

fn english() -> Texts {
    let files = [
        include_str!("../locales/en/ui.ftl"),
        include_str!("../locales/en/page.ftl"),
        include_str!("../locales/en/diagnosis.ftl"),
        include_str!("../locales/en/advice.ftl"),
        include_str!("../locales/en/pytorch.ftl"),
    ];
    Texts::parse(Language::ENGLISH, files)
}

/// The page with a text in its box, in an element of its own that is taken away when this is dropped.
struct Page(HtmlElement);

impl Page {
    async fn with(text: &str) -> Page {
        let root: HtmlElement = document().create_element("div").expect("an element").unchecked_into();
        document()
            .body()
            .expect("a body")
            .append_child(&root)
            .expect("appended");
        vramfit::ui::mount(root.clone(), english(), text.to_owned());
        leptos::task::tick().await;
        Page(root)
    }

    fn find<T: JsCast>(&self, selector: &str) -> T {
        let found = self.0.query_selector(selector).expect("a selector");
        found
            .unwrap_or_else(|| panic!("{selector} is missing"))
            .unchecked_into()
    }

    fn text(&self, selector: &str) -> String {
        self.find::<HtmlElement>(selector).text_content().unwrap_or_default()
    }

    fn texts(&self, selector: &str) -> Vec<String> {
        let found = self.0.query_selector_all(selector).expect("a selector");
        (0..found.length())
            .filter_map(|at| found.get(at)?.text_content())
            .collect()
    }

    async fn after(&self, element: &HtmlElement, event: &str) {
        let init = web_sys::EventInit::new();
        init.set_bubbles(true);
        let event = Event::new_with_event_init_dict(event, &init).expect("an event");
        element.dispatch_event(&event).expect("dispatched");
        leptos::task::tick().await;
    }
}

impl Drop for Page {
    fn drop(&mut self) {
        self.0.remove();
    }
}

#[wasm_bindgen_test]
async fn what_was_typed_before_is_kept_and_answered() {
    let page = Page::with(ARTICLE).await;
    assert_eq!(page.find::<HtmlTextAreaElement>("#paste").value(), ARTICLE);
    assert!(
        page.text(".headline").contains("0.88 GiB"),
        "{}",
        page.text(".headline")
    );
}

#[wasm_bindgen_test]
async fn every_figure_is_marked_in_its_line_with_what_it_says_beside_it() {
    let page = Page::with(ARTICLE).await;
    let marked = ["2.00 GiB", "0", "23.65 GiB", "1.12 GiB", "20.10 GiB", "1.31 GiB"];
    assert_eq!(page.texts(".lines mark"), marked);
    assert_eq!(page.texts(".lines .clause .said + p").len(), 4);
    assert_eq!(page.find::<HtmlElement>(".said").lang(), "en");
}

#[wasm_bindgen_test]
async fn the_bar_and_its_table_hold_the_whole_card() {
    let page = Page::with(ARTICLE).await;
    let figures = ["20.10 GiB", "1.31 GiB", "1.12 GiB", "1.12 GiB", "23.65 GiB", "2.00 GiB"];
    assert_eq!(page.texts(".parts td:first-of-type"), figures);
    // Live tensors, reserve, unaccounted, free, and what lacks.
    assert_eq!(page.texts(".bar rect").len(), 5);
    let free: web_sys::Element = page.find(".bar .free");
    let missing: web_sys::Element = page.find(".bar .missing");
    let capacity: web_sys::Element = page.find(".bar .edge");
    // 23.65 of 24.53 GiB.
    assert_eq!(capacity.get_attribute("x1").as_deref(), Some("96.41%"));
    assert_eq!(missing.get_attribute("x"), capacity.get_attribute("x1"));
    assert_eq!(free.get_attribute("width").as_deref(), Some("4.56%"));
}

#[wasm_bindgen_test]
async fn a_process_may_be_claimed_and_the_control_stays() {
    let page = Page::with(TENANT).await;
    let first = page.text(".causes h3");
    let own: HtmlInputElement = page.find(".processes input");
    assert!(!own.checked());
    own.set_checked(true);
    page.after(&own, "change").await;
    assert_ne!(page.text(".causes h3"), first);
    assert!(own.is_connected() && own.checked());
    own.set_checked(false);
    page.after(&own, "change").await;
    assert_eq!(page.text(".causes h3"), first);
}

#[wasm_bindgen_test]
async fn a_card_may_be_chosen_until_another_text_is_asked() {
    let page = Page::with(ARTICLE).await;
    let card: HtmlSelectElement = page.find("#card");
    assert_eq!(card.value(), "");
    card.set_value("rtx-3090");
    page.after(&card, "change").await;
    assert_eq!(page.find::<HtmlSelectElement>("#card").value(), "rtx-3090");
    assert!(card.is_connected());
}

#[wasm_bindgen_test]
async fn the_box_shows_what_is_typed_and_clearing_brings_the_examples_back() {
    let page = Page::with("").await;
    assert!(page.find::<HtmlElement>("#answer").has_attribute("hidden"));
    assert_eq!(page.texts(".examples button").len(), 5);
    let paste: HtmlTextAreaElement = page.find("#paste");
    paste.set_value(ARTICLE);
    page.after(&paste, "input").await;
    assert!(!page.find::<HtmlElement>("#answer").has_attribute("hidden"));
    assert_eq!(page.texts(".examples button").len(), 0);
    page.find::<HtmlElement>(".tools button:nth-of-type(2)").click();
    leptos::task::tick().await;
    assert_eq!(paste.value(), "");
    assert_eq!(page.texts(".examples button").len(), 5);
}

#[wasm_bindgen_test]
async fn each_example_is_answered() {
    for number in 1..=5 {
        let page = Page::with("").await;
        page.find::<HtmlElement>(&format!(".examples li:nth-child({number}) button"))
            .click();
        leptos::task::tick().await;
        assert!(!page.texts(".steps > li").is_empty(), "example {number} has no fix");
        assert!(
            !page.texts(".lines .clause").is_empty(),
            "example {number} has no line read"
        );
    }
}

#[wasm_bindgen_test]
async fn a_text_is_never_markup() {
    let hostile = "<img src=x onerror=alert(1)>\nCUDA out of memory. Tried to allocate 2.00 GiB<b>\n\u{202e}<script>alert(1)</script>";
    let page = Page::with(hostile).await;
    assert!(page.text(".lines").contains("<img src=x onerror=alert(1)>"));
    assert!(!page.text(".lines").contains('\u{202e}'));
    for tag in ["img", "script", "b"] {
        assert_eq!(page.texts(&format!("#answer {tag}")).len(), 0, "{tag}");
    }
}
