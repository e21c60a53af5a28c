internal import PipelineHTTPServers

/// The state of the APIs between requests. One value, owned by the event loop's thread.
struct SandboxState {
  var tokens = TokenStore()
  var images = ImagesAPI.State()
  var jobs = JobsAPI.State()
  var flaky = FlakyAPI.State()
  var announced = AnnouncedAPI.State()
  var faults = FaultsAPI.State()
  var oauth = OAuthAPI.State()
  var passwords = PasswordAPI.State()
  var users = ReqresAPI.State()
  var stock = StockAPI.State()
  var rows = RowsAPI.State()
  var uploads = UploadsAPI.State()
}
