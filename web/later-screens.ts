/**
 * The files of the screens that are not on `/`. This list comes right after the first load, so that `/` doesn't wait
 * for their names.
 */
const forgottenPassword = () => import('./sessions/links/forgotten-password-screens.tsx')
const mailLinks = () => import('./sessions/links/mail-link-screens.tsx')

export const loadPanel = () => import('./shell/admin/admin-shell.tsx')

export const laterScreens = {
  '/terms-policy': () => import('./settings/terms-screen.tsx').then((file) => file.loadTerms()),
  '/buy': () => import('./orders/buy-screen.tsx').then((file) => file.BuyScreen),
  '/my-key': () => import('./keys/my-key-screen.tsx').then((file) => file.MyKeyScreen),
  '/wallet-history': () => import('./wallet/wallet-history-screen.tsx').then((file) => file.WalletHistoryScreen),
  '/add-balance': () => import('./payments/add-balance-screen.tsx').then((file) => file.AddBalanceScreen),
  '/account': () => import('./sessions/account/account-screen.tsx').then((file) => file.AccountScreen),
  '/receipt': () => import('./payments/receipt-screen.tsx').then((file) => file.ReceiptScreen),
  '/login': () => import('./sessions/login-screen.tsx').then((file) => file.LoginScreen),
  '/signup': () => import('./sessions/sign-up/signup-screen.tsx').then((file) => file.SignupScreen),
  '/reset-password': () => forgottenPassword().then((file) => file.ResetPasswordScreen),
  '/forgot-password': () => forgottenPassword().then((file) => file.ForgotPasswordScreen),
  '/confirm-email': () => mailLinks().then((file) => file.ConfirmEmailScreen),
  '/unsubscribe': () => mailLinks().then((file) => file.UnsubscribeScreen),
  '/phone': () => import('./bank/phone-screen.tsx').then((file) => file.PhoneScreen),
  '/admin-login': () => import('./sessions/admin-login-screen.tsx').then((file) => file.AdminLoginScreen),
}
