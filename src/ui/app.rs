//! The frame: header with its switches, panels, footer; and how it takes over the static page.

use super::answer::answer;
use super::calculator::{Sizer, calculator, invitation, views};
use super::components::{Alternative, choice, patterns, stand_in};
use super::paste_panel::{Typed, focus, paste_panel};
use super::settings;
use super::state::{State, Theme};
use super::texts;
use crate::i18n::{Language, Texts, Units};
use leptos::mount::mount_to;
use leptos::prelude::*;
use wasm_bindgen::JsCast;
use web_sys::HtmlElement;

/// Fetches the texts of the reader's language, then takes over the static page. Where they can't be had, the page says so.
pub fn start() {
    js_sys::futures::spawn_local(async {
        match texts::fetch(settings::language()).await {
            Some(texts) => take_over(texts),
            None => {
                if let Some(failed) = document().get_element_by_id("boot-failed") {
                    let _ = failed.remove_attribute("hidden");
                }
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
    app.set_text_content(None);
    let text = typed.text.clone();
    mount_to(app.clone(), move || {
        let state = State::new(texts, text);
        settings::set_on_root("data-theme", state.theme.get_untracked().name());
        view(state)
    })
    .forget();
    typed.give_back();
    let _ = app.set_attribute("data-running", "");
}

/// The whole page.
pub fn view(state: State) -> AnyView {
    let sizer = Sizer::new(state);
    let skip = move |event: web_sys::MouseEvent| {
        // The address's fragment belongs to the shared link.
        event.prevent_default();
        focus("content");
    };
    let failed = move || {
        let failed = state.language_failed.get();
        failed.then(|| view! { <p class="notice" role="alert">{state.label("ui-language-failed")}</p> })
    };
    view! {
        {patterns()}
        <a class="skip vh" href="#content" on:click=skip>{state.label("page-skip")}</a>
        <header class="top">
            <p class="brand">{mark()} "vramfit"</p>
            <nav class="views" aria-label=state.label("calc-views")>{views(sizer)}</nav>
            <div class="switches">{languages(state)} {units(state)}</div>
        </header>
        {failed}
        <main id="content" tabindex="-1">
            <div hidden=move || sizer.shown.get()>
                {paste_panel(state)} {answer(state)} {stand_in(move || invitation(sizer))}
            </div>
            {stand_in(move || calculator(sizer))}
        </main>
        <footer class="foot">
            <p>{state.label("page-private")}</p>
            <p>{concat!("vramfit ", env!("CARGO_PKG_VERSION"), " · ", env!("CARGO_PKG_LICENSE"))}</p>
            {themes(state)}
        </footer>
    }
    .into_any()
}

/// The sign: a bar, filled.
fn mark() -> AnyView {
    view! {
        <svg viewBox="0 0 28 16" aria-hidden="true">
            <rect class="allocated" width="14" height="16"></rect>
            <rect class="on-hatch" x="16" width="4" height="16"></rect>
            <rect class="on-lack" x="23" width="5" height="16"></rect>
        </svg>
    }
    .into_any()
}

fn languages(state: State) -> AnyView {
    let one = |language: Language| Alternative {
        label: Box::new(move || language.code().to_uppercase()),
        name: Box::new(move || language.name().to_owned()),
        lang: Some(language.code()),
        chosen: Box::new(move || state.wanted.get() == language),
        choose: Box::new(move || texts::switch(state, language)),
    };
    choice(
        "language",
        Box::new(state.label("page-language")),
        Language::all().map(one).collect(),
    )
}

fn units(state: State) -> AnyView {
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
        lang: None,
        chosen: Box::new(move || state.texts.with(|texts| texts.format.units == units)),
        choose: Box::new(move || state.choose_units(units)),
    };
    let both = vec![
        one(Units::Binary, "page-units-binary"),
        one(Units::Decimal, "page-units-decimal"),
    ];
    choice("units", Box::new(state.label("page-units")), both)
}

fn themes(state: State) -> AnyView {
    let one = |theme: Theme, label: &'static str, name: &'static str| Alternative {
        label: Box::new(state.label(label)),
        name: Box::new(state.label(name)),
        lang: None,
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
