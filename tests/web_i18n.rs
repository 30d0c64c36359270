//! The page's numbers against the browser's own: what `i18n` prints is what `Intl.NumberFormat` prints.
#![cfg(target_arch = "wasm32")]

use js_sys::{Array, Intl, Object, Reflect};
use vramfit::i18n::{Format, Language, Units};
use wasm_bindgen::JsValue;
use wasm_bindgen_test::{wasm_bindgen_test, wasm_bindgen_test_configure};

wasm_bindgen_test_configure!(run_in_browser);

/// What the browser prints for a number in a language.
fn intl(language: Language, options: &[(&str, JsValue)], value: f64) -> String {
    let object = Object::new();
    for (name, option) in options {
        Reflect::set(&object, &JsValue::from_str(name), option).expect("an option can be set");
    }
    let formatter = Intl::NumberFormat::new(&Array::of1(&JsValue::from_str(language.code())), &object);
    let printed = formatter.format().call1(&JsValue::UNDEFINED, &JsValue::from_f64(value));
    printed
        .ok()
        .and_then(|printed| printed.as_string())
        .expect("Intl prints a number")
}

/// Holds one kind of figure against the browser in every language. Each value is a whole number and a power of ten below it.
fn compare(options: &[(&str, JsValue)], values: &[i64], decimals: i32, print: impl Fn(Format, i64) -> String) {
    for language in Language::all() {
        let format = Format {
            language,
            units: Units::Decimal,
        };
        for &value in values {
            let browser = intl(language, options, value as f64 / 10f64.powi(decimals));
            assert_eq!(alike(&print(format, value)), alike(&browser), "{value} in {language:?}");
        }
    }
}

/// Versions of CLDR disagree on how wide the no-break space before a unit is, so its width is not compared.
fn alike(text: &str) -> String {
    text.replace('\u{202f}', "\u{a0}")
}

fn exactly(decimals: i32) -> [(&'static str, JsValue); 2] {
    let digits = JsValue::from(decimals);
    [
        ("minimumFractionDigits", digits.clone()),
        ("maximumFractionDigits", digits),
    ]
}

const VALUES: &[i64] = &[
    0, 1, 7, 10, 59, 99, 100, 390, 999, 1_000, 1_234, 32_768, 131_072, 12_345_678, -1, -1_234, -123_456,
];

#[wasm_bindgen_test]
fn counts_and_decimals() {
    for decimals in 0..4 {
        compare(&exactly(decimals), VALUES, decimals, |format, value| {
            format.number(value, decimals as u32)
        });
    }
}

#[wasm_bindgen_test]
fn percent() {
    let options = [
        ("style", JsValue::from_str("percent")),
        ("maximumFractionDigits", JsValue::from(1)),
    ];
    compare(&options, &VALUES[1..], 3, Format::percent);
}

#[wasm_bindgen_test]
fn euros() {
    let options = [
        ("style", JsValue::from_str("currency")),
        ("currency", JsValue::from_str("EUR")),
    ];
    compare(&options, VALUES, 2, Format::euro_cents);
}

#[wasm_bindgen_test]
fn classes_of_cards() {
    let options = [
        ("style", JsValue::from_str("unit")),
        ("unit", JsValue::from_str("gigabyte")),
    ];
    compare(&options, &[8, 24, 80, 141, 1_024], 0, Format::card_gb);
}
