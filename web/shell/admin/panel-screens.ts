/** Fetches the panel's screens, by the name that routes.tsx gives them. */
export const panelScreens = {
  dashboard: () => import('../../reports/admin/admin-dashboard-screen.tsx').then((file) => file.AdminDashboardScreen),
  products: () => import('../../catalogue/admin/product-manager-screen.tsx').then((file) => file.ProductManagerScreen),
  users: () => import('../../users/admin/user-manager-screen.tsx').then((file) => file.UserManagerScreen),
  keys: () => import('../../keys/admin/key-manager-screen.tsx').then((file) => file.KeyManagerScreen),
  payments: () => import('../../payments/admin/payment-manager-screen.tsx').then((file) => file.PaymentManagerScreen),
  money: () => import('../../bank/admin/money-screen.tsx').then((file) => file.MoneyScreen),
  bankSettings: () => import('../../bank/admin/bank-settings-screen.tsx').then((file) => file.BankSettingsScreen),
  purchases: () => import('../../orders/admin/purchases-screen.tsx').then((file) => file.PurchasesScreen),
  plans: () => import('../../payments/admin/topup-plan-manager-screen.tsx').then((file) => file.TopupPlanManagerScreen),
  referrals: () =>
    import('../../referrals/admin/referral-manager-screen.tsx').then((file) => file.ReferralManagerScreen),
  audit: () => import('../../audit/admin/audit-screen.tsx').then((file) => file.AuditScreen),
  admins: () => import('../../admins/admin/admins-screen.tsx').then((file) => file.AdminsScreen),
  messages: () => import('../../messages/admin/messages-screen.tsx').then((file) => file.MessagesScreen),
  settings: () => import('../../settings/admin/settings-screen.tsx').then((file) => file.SettingsScreen),
  face: () => import('../../settings/admin/face-screen.tsx').then((file) => file.FaceScreen),
  guide: () => import('../../reports/admin/guide-screen.tsx').then((file) => file.GuideScreen),
  security: () => import('../../admins/admin/security-screen.tsx').then((file) => file.SecurityScreen),
}
