//! The frame: header with its switches, panels, footer; and how it takes over the static page.

use super::answer::{answer, spoken};
use super::attachments::drop_target;
use super::calculator::{Sizer, calculator, invitation, views};
use super::components::{Alternative, El, choice, el, patterns, sign};
use super::files::{Source, take, take_files};
use super::formats::formats;
use super::paste_panel::{Typed, focus, paste_panel};
use super::settings;
use super::state::{State, Theme};
use super::texts;
use crate::i18n::{Language, Texts, Units};
use leptos::mount::mount_to;
use leptos::prelude::*;
use wasm_bindgen::JsCast;
use web_sys::{Element, Event, HtmlElement};

/// Fetches the texts of the reader's language, then takes over the static page. Where they can't be had, the page says so.
pub fn start() {
    texts::fetch(settings::language(), |texts| match texts {
        Some(texts) => take_over(texts),
        None => {
            if let Some(failed) = document().get_element_by_id("boot-failed") {
                let _ = failed.remove_attribute("hidden");
            }
        }
    });
}

fn take_over(texts: Texts) {
    let Some(app) = document()
        .get_element_by_id("app")
        .and_then(|app| app.dyn_into::<HtmlElement>().ok())
    else {
        return;
    };
    texts::show(&texts);
    let typed = Typed::take();
    mount_with(app.clone(), texts, &typed);
    typed.give_back();
    let _ = app.set_attribute("data-running", "");
}

/// Puts the page into an element, in place of what it held, with a text that was typed already.
pub fn mount(app: HtmlElement, texts: Texts, typed: String) {
    let text = typed;
    mount_with(
        app,
        texts,
        &Typed {
            text,
            ..Typed::default()
        },
    );
}

fn mount_with(app: HtmlElement, texts: Texts, typed: &Typed) {
    app.set_text_content(None);
    let typed = typed.clone();
    // Leptos starts its signals and owns them; the elements are appended by hand.
    mount_to(app.clone(), move || {
        let state = State::new(texts, typed.text);
        settings::set_on_root("data-theme", state.theme.get_untracked().name());
        let sizer = Sizer::new(state);
        page(El::from(Element::from(app)), state, sizer);
        if typed.sizes {
            sizer.show(true);
        }
        typed.long.into_iter().for_each(|text| take(state, Source::Text(text)));
        typed.files.iter().for_each(|files| take_files(state, files));
    })
    .forget();
}

fn page(app: El, state: State, sizer: Sizer) {
    let skip = move |event: Event| {
        // The address's fragment belongs to the shared link.
        event.prevent_default();
        focus("content");
    };
    let skip = el("a", "skip vh")
        .attr("href", "#content")
        .says(state.label("page-skip"))
        .when("click", skip);
    let panels = el("nav", "views")
        .live_attr("aria-label", state.label("calc-views"))
        .child(views(sizer));
    let header = el("header", "top")
        .child(el("p", "brand").child(sign()).text("vramfit"))
        .child(panels)
        .child(el("div", "switches").child(languages(state)).child(units(state)));
    let failed = el("p", "notice")
        .attr("role", "alert")
        .says(state.label("ui-language-failed"))
        .hidden_if(move || !state.language_failed.get());
    let reader = el("div", "").hidden_if(move || sizer.shown.get());
    let reader = reader.all(&[
        paste_panel(state),
        spoken(state),
        answer(state),
        invitation(sizer),
        formats(state),
    ]);
    let main = el("main", "").attr("id", "content").attr("tabindex", "-1");
    let main = main.child(reader).child(calculator(sizer));
    let about = concat!("vramfit ", env!("CARGO_PKG_VERSION"), " · ", env!("CARGO_PKG_LICENSE"));
    let footer = el("footer", "foot")
        .child(el("p", "").says(state.label("page-private")))
        .child(el("p", "").text(about))
        .child(themes(state));
    let drop = drop_target(state);
    app.all(&[patterns(), skip, header, failed, main, footer, drop]);
}

fn languages(state: State) -> El {
    let one = |language: Language| Alternative {
        label: Box::new(move || language.code().to_ascii_uppercase()),
        name: Box::new(move || language.name().to_owned()),
        lang: language.code(),
        chosen: Box::new(move || state.wanted.get() == language),
        choose: Box::new(move || texts::switch(state, language)),
    };
    choice(
        "language",
        Box::new(state.label("page-language")),
        Language::all().map(one).collect(),
    )
}

fn units(state: State) -> El {
    let one = |units: Units, name: &'static str| Alternative {
        label: Box::new(move || {
            state.texts.with(|texts| {
                let numbers = texts.format.language.0.numbers;
                let names = if units == Units::Binary {
                    numbers.binary
                } else {
                    numbers.decimal
                };
                names[3].to_owned()
            })
        }),
        name: Box::new(state.label(name)),
        lang: "",
        chosen: Box::new(move || state.texts.with(|texts| texts.format.units == units)),
        choose: Box::new(move || state.choose_units(units)),
    };
    let both = vec![
        one(Units::Binary, "page-units-binary"),
        one(Units::Decimal, "page-units-decimal"),
    ];
    choice("units", Box::new(state.label("page-units")), both)
}

fn themes(state: State) -> El {
    let one = |theme: Theme, label: &'static str, name: &'static str| Alternative {
        label: Box::new(state.label(label)),
        name: Box::new(state.label(name)),
        lang: "",
        chosen: Box::new(move || state.theme.get() == theme),
        choose: Box::new(move || state.choose_theme(theme)),
    };
    let all = vec![
        one(Theme::System, "ui-theme-system", "page-theme-system"),
        one(Theme::Light, "page-theme-light", "page-theme-light"),
        one(Theme::Dark, "page-theme-dark", "page-theme-dark"),
    ];
    choice("theme", Box::new(state.label("page-theme")), all)
}
