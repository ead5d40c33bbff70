// All pages as one manual page in roff.
#include "app/manual/page.hpp"
#include "app/version.hpp"

namespace detent::app {
namespace {

/// Text that roff prints as it is: no escapes, no request at the begin of a line, hyphens that can be searched.
std::string roff(const std::string& text) {
  std::string out;
  for (const char c : text) {
    const bool at_begin = out.empty() || out.back() == '\n';
    if (at_begin && (c == '.' || c == '\'')) out += "\\&";
    if (c == '\\') {
      out += "\\e";
    } else if (c == '-') {
      out += "\\-";
    } else {
      out += c;
    }
  }
  return out;
}

std::string option_text(const ManualOption& option) {
  std::string out = ".TP\n";
  if (option.positional) {
    out += "\\fI" + roff(option.name()) + "\\fR\n";
  } else {
    for (auto name = option.names.rbegin(); name != option.names.rend(); ++name) {
      out += (name == option.names.rbegin() ? "\\fB" : ", \\fB") + roff(*name) + "\\fR";
    }
    out += (option.is_flag() ? "" : " \\fI" + roff(option.value) + "\\fR") + std::string("\n");
  }
  out += roff(option.text);
  if (option.required && !option.positional) out += " Required.";
  if (!option.range.empty()) out += " From " + roff(option.range) + ".";
  if (!option.fallback.empty()) out += " Default: " + roff(option.fallback) + ".";
  return out + "\n";
}

std::string page_text(const ManualPage& page) {
  std::string out = ".SS \"" + roff(usage_line(page)) + "\"\n" + roff(page.summary) + ".\n";
  if (!page.details.empty()) out += ".PP\n" + roff(page.details) + "\n";
  for (const ManualOption& option : page.options) out += option_text(option);
  if (!page.examples.empty()) out += ".PP\nExamples:\n.PP\n.nf\n.RS\n";
  for (const std::string& example : page.examples) out += roff(example) + "\n";
  if (!page.examples.empty()) out += ".RE\n.fi\n";
  return out;
}

}  // namespace

std::string man_page(const std::vector<ManualPage>& pages) {
  std::string out = ".TH DETENT 1 \"\" \"detent " + std::string(kVersion) + "\" \"User Commands\"\n";
  out += ".SH NAME\ndetent \\- run, simulate, prove and bound compiled neural networks\n";
  out += ".SH SYNOPSIS\n.B detent\n\\fICOMMAND\\fR [\\fIargument\\fR ...] [\\fIoption\\fR ...]\n";
  if (const ManualPage* const program = find_page(pages, "")) {
    out += ".SH DESCRIPTION\n" + roff(program->summary) + "\n.PP\n" + roff(program->details) + "\n";
  }
  out += ".SH COMMANDS\n";
  for (const ManualPage& page : pages) {
    if (!page.name.empty() && page.commands.empty()) out += page_text(page);
  }
  out +=
      ".SH \"EXIT STATUS\"\n.TP\n.B 0\nholds, or done\n.TP\n.B 1\na law is violated\n.TP\n.B 2\nbad input, usage, or "
      "an "
      "answer that could not be written\n.TP\n.B 3\nunknown: a limit was reached, or the command was interrupted\n";
  out +=
      ".SH ENVIRONMENT\n.TP\n.B TVMRT_NUM_WORKERS\nworkers of native runs where \\-\\-workers is not given; 0: "
      "serial\n.TP\n.B OMP_NUM_THREADS\nthe same where "
      "TVMRT_NUM_WORKERS is not set; of a list the first number counts\n.TP\n.B "
      "NO_COLOR\nwhere it is set and not empty, nothing is coloured\n.TP\n.B COLUMNS\nwidth of the screen\n";
  return out;
}

}  // namespace detent::app
