//! Letters by the ranges that scripts have, without the standard library's tables: these weigh 3 KB in the page.

/// Whether a sign is a letter of some language; signs that draw tables and arrows are not.
pub fn is_letter(sign: char) -> bool {
    sign.is_ascii_alphabetic()
        || matches!(sign, 'ª' | 'µ' | 'º' | '\u{c0}'..='\u{1fff}' | '\u{2c00}'..='\u{2dff}' | '\u{3005}'..='\u{d7ff}')
        || matches!(sign, '\u{f900}'..='\u{fdff}' | '\u{fe70}'..='\u{feff}' | '\u{ff21}'..='\u{ffdc}' | '\u{20000}'..='\u{3ffff}')
}

#[cfg(test)]
mod tests {
    use super::is_letter;

    #[test]
    fn letters_of_all_scripts_and_no_table_lines() {
        assert!("aZéßñµŁжΩשعあ漢한ｗ".chars().all(is_letter));
        assert!(!"0 _-+|.,'’│├─█▏═╒→…°…\u{fffd}\u{1b}²€".chars().any(is_letter));
    }
}
