//===- ClangRun.cpp - one run of Clang's front end ------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Runs Clang's front end over text in memory. The work is done on a thread
// with a large stack: Clang and what walks its tree recurse as deeply as the
// program is nested, and generated programs are nested deeply.
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

namespace {

constexpr unsigned stackBytes = 512u << 20;

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

class Runner {
public:
  Runner(const std::string &filePath, const std::string &text,
         const TranslatedFlags &translated)
      : path(filePath), source(text), flags(translated) {}

  ClangRun run(clang::FrontendAction &action) {
    warnUnknown();
    compile(action);
    return std::move(result);
  }

private:
  void warnUnknown() {
    for (const std::string &flag : flags.unknown) {
      Diagnostic diagnostic;
      diagnostic.level = Diagnostic::Level::Warning;
      diagnostic.message = "build flag '" + flag + "' is ignored";
      result.diagnostics.push_back(diagnostic);
    }
  }

  void compile(clang::FrontendAction &action) {
    clang::CompilerInstance compiler;
    auto invocation = std::make_shared<clang::CompilerInvocation>();
    llvm::IntrusiveRefCntPtr<clang::DiagnosticOptions> options =
        new clang::DiagnosticOptions();
    llvm::IntrusiveRefCntPtr<clang::DiagnosticsEngine> engine =
        new clang::DiagnosticsEngine(
            new clang::DiagnosticIDs(), options,
            new DiagnosticRecorder(result.diagnostics, *options));
    std::vector<const char *> arguments;
    for (const std::string &argument : flags.arguments)
      arguments.push_back(argument.c_str());
    if (!clang::CompilerInvocation::CreateFromArgs(*invocation, arguments,
                                                   *engine))
      return;
    useText(*invocation);
    compiler.setInvocation(std::move(invocation));
    // The flags may say how warnings are to be treated, so that the engine that
    // read them cannot be the one that uses them.
    compiler.createDiagnostics(
        new DiagnosticRecorder(result.diagnostics,
                               compiler.getDiagnosticOpts()),
        /*ShouldOwnClient=*/true);
    auto collector = std::make_shared<clang::DependencyCollector>();
    compiler.addDependencyCollector(collector);
    // The count of warnings would go to stderr.
    compiler.setVerboseOutputStream(std::make_unique<llvm::raw_null_ostream>());
    bool isDone = compiler.ExecuteAction(action);
    result.dependencies = collector->getDependencies();
    if (result.dependencies.empty())
      result.dependencies.push_back(path);
    result.isGood = isDone && !compiler.getDiagnostics().hasErrorOccurred();
  }

  /// Makes the path stand for the text, whether or not such a file exists.
  void useText(clang::CompilerInvocation &invocation) {
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

  const std::string &path;
  const std::string &source;
  const TranslatedFlags &flags;
  ClangRun result;
};

} // namespace

ClangRun clopt::runClang(const std::string &path, const std::string &source,
                         const TranslatedFlags &flags,
                         clang::FrontendAction &action) {
  ClangRun result;
  llvm::thread worker(std::optional<unsigned>(stackBytes), [&] {
    result = Runner(path, source, flags).run(action);
  });
  worker.join();
  return result;
}
