#if canImport(SwiftUI)
  import SwiftUI

  #if os(macOS)
    import CurlTransports
  #else
    import URLSessionTransports
  #endif

  /// Shows a user's statement while it is loaded, and after.
  public struct BankView: View {
    @State private var model: BankModel
    @State private var user = 7

    /// A view of a model.
    public init(_ model: BankModel) {
      _model = State(initialValue: model)
    }

    /// The statement, the steps so far, or what went wrong.
    public var body: some View {
      List {
        Stepper("User \(user)", value: $user, in: 1...99)
        if let statement = model.statement {
          LabeledContent(statement.name, value: "\(statement.balance)")
          LabeledContent("Grade", value: statement.grade)
        } else if let problem = model.problem {
          Text(problem).foregroundStyle(.red)
        } else {
          ForEach(model.steps, id: \.self) { Label($0, systemImage: "checkmark") }
          ProgressView()
        }
      }
      .task(id: user) { await model.load(user: user) }
    }
  }

  /// The app. Add `@main` where it is an app's target.
  public struct BankApp: App {
    private let model: Result<BankModel, any Error>

    /// The app with the platform's transport.
    public init() {
      #if os(macOS)
        model = Result { try BankModel(CurlTransport.shared) }
      #else
        model = Result { try BankModel(URLSessionTransport.shared) }
      #endif
    }

    /// The one window.
    public var body: some Scene {
      WindowGroup {
        switch model {
        case .success(let model): BankView(model)
        case .failure(let error): Text(error.localizedDescription)
        }
      }
    }
  }

  #Preview("Loaded") {
    if let model = try? BankModel(BankModel.preview()) { BankView(model) }
  }

  #Preview("Refused") {
    if let model = try? BankModel(BankModel.preview(account: .status(403))) { BankView(model) }
  }
#endif
