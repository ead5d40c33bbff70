// Glossary of report.html: each technical word explained where it stands, and all of them in a section of the page.
#pragma once

#include <string>
#include <string_view>

namespace detent::reports {

/// `shown` as a link to the glossary whose hint, on hover and on keyboard focus, is the explanation of term `id`;
/// escaped. DETENT_ASSERTs that the glossary has the term.
std::string term_html(std::string_view id, std::string_view shown);
/// `shown` with `hint` on hover and on keyboard focus; both escaped. For what has an explanation of its own.
std::string hint_html(std::string_view hint, std::string_view shown);
/// A name from outside, escaped, that a line may end within behind punctuation and nowhere else.
std::string name_html(std::string_view name);
/// The section with every term.
std::string glossary_html();

}  // namespace detent::reports
