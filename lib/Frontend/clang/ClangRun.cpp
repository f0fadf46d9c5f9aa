//===- ClangRun.cpp - runs Clang over a text in memory --------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tested by test/unit/ClangParserTest.cpp.
//
//===----------------------------------------------------------------------===//

#include "Frontend/clang/ClangRun.h"

#include "Frontend/clang/ClangSource.h"

#include "clang/Frontend/CompilerInstance.h"
#include "clang/Frontend/FrontendAction.h"
#include "clang/Frontend/TextDiagnosticPrinter.h"
#include "clang/Frontend/Utils.h"
#include "clang/Lex/PreprocessorOptions.h"
#include "llvm/Support/thread.h"

using namespace clopt;

static constexpr unsigned stackBytes = 512u << 20;

namespace {

/// Keeps every diagnostic as data and as the text that clang prints.
class DiagnosticRecorder : public clang::DiagnosticConsumer {
public:
  DiagnosticRecorder(std::vector<Diagnostic> &collected,
                     clang::DiagnosticOptions &options)
      : diagnostics(collected), stream(rendered), printer(stream, &options) {}

  void BeginSourceFile(const clang::LangOptions &options,
                       const clang::Preprocessor *preprocessor) override {
    language = options;
    printer.BeginSourceFile(options, preprocessor);
  }
  void EndSourceFile() override { printer.EndSourceFile(); }

  void HandleDiagnostic(clang::DiagnosticsEngine::Level level,
                        const clang::Diagnostic &info) override {
    DiagnosticConsumer::HandleDiagnostic(level, info);
    if (level == clang::DiagnosticsEngine::Ignored ||
        level == clang::DiagnosticsEngine::Remark)
      return;
    Diagnostic diagnostic;
    diagnostic.level = levelOf(level);
    llvm::SmallString<128> message;
    info.FormatDiagnostic(message);
    diagnostic.message = message.str().str();
    // A message about a flag has no place, and clang puts no name before it.
    if (info.hasSourceManager() && info.getLocation().isValid()) {
      rendered.clear();
      printer.HandleDiagnostic(level, info);
      stream.flush();
      diagnostic.rendered = rendered;
      diagnostic.location = SourceMap(info.getSourceManager(), language, {})
                                .range(info.getLocation());
    }
    diagnostics.push_back(std::move(diagnostic));
  }

private:
  static Diagnostic::Level levelOf(clang::DiagnosticsEngine::Level level) {
    if (level == clang::DiagnosticsEngine::Note)
      return Diagnostic::Level::Note;
    return level == clang::DiagnosticsEngine::Warning
               ? Diagnostic::Level::Warning
               : Diagnostic::Level::Error;
  }

  std::vector<Diagnostic> &diagnostics;
  std::string rendered;
  llvm::raw_string_ostream stream;
  clang::TextDiagnosticPrinter printer;
  clang::LangOptions language;
};

} // namespace

/// Makes the path stand for the text, whether or not such a file exists.
static void useText(const std::string &path, const std::string &source,
                    clang::CompilerInvocation &invocation) {
  clang::FrontendOptions &frontend = invocation.getFrontendOpts();
  clang::InputKind kind = clang::Language::OpenCL;
  if (!frontend.Inputs.empty())
    kind = frontend.Inputs[0].getKind();
  if (invocation.getLangOpts().OpenCLCPlusPlus)
    kind = clang::Language::OpenCLCXX;
  // Clang would read the standard input itself.
  std::string name = path.empty() || path == "-" ? "<stdin>" : path;
  frontend.Inputs = {clang::FrontendInputFile(name, kind)};
  frontend.DisableFree = false;
  clang::PreprocessorOptions &preprocessor = invocation.getPreprocessorOpts();
  preprocessor.addRemappedFile(
      name, llvm::MemoryBuffer::getMemBufferCopy(source, name).release());
  preprocessor.RetainRemappedFileBuffers = false;
}

bool clopt::runClang(const std::string &path, const std::string &source,
                     const std::vector<std::string> &arguments,
                     clang::FrontendAction &action,
                     std::vector<Diagnostic> &diagnostics,
                     std::vector<std::string> *dependencies) {
  clang::CompilerInstance compiler;
  auto invocation = std::make_shared<clang::CompilerInvocation>();
  llvm::IntrusiveRefCntPtr<clang::DiagnosticOptions> options =
      new clang::DiagnosticOptions();
  llvm::IntrusiveRefCntPtr<clang::DiagnosticsEngine> engine =
      new clang::DiagnosticsEngine(
          new clang::DiagnosticIDs(), options,
          new DiagnosticRecorder(diagnostics, *options));
  std::vector<const char *> words;
  for (const std::string &argument : arguments)
    words.push_back(argument.c_str());
  if (!clang::CompilerInvocation::CreateFromArgs(*invocation, words, *engine))
    return false;
  useText(path, source, *invocation);
  compiler.setInvocation(std::move(invocation));
  // The flags may say how warnings are to be treated, so that the engine that
  // read them cannot be the one that uses them.
  compiler.createDiagnostics(
      new DiagnosticRecorder(diagnostics, compiler.getDiagnosticOpts()),
      /*ShouldOwnClient=*/true);
  auto collector = std::make_shared<clang::DependencyCollector>();
  compiler.addDependencyCollector(collector);
  // The count of warnings would go to stderr.
  compiler.setVerboseOutputStream(std::make_unique<llvm::raw_null_ostream>());
  const bool isDone = compiler.ExecuteAction(action);
  if (dependencies)
    *dependencies = collector->getDependencies();
  return isDone && !compiler.getDiagnostics().hasErrorOccurred();
}

void clopt::onLargeStack(llvm::function_ref<void()> work) {
  llvm::thread worker(std::optional<unsigned>(stackBytes), [&] { work(); });
  worker.join();
}
