import { DashboardScreen } from '#features/dashboard/dashboard-screen.tsx'
import { TABS, NOTICE_WATCHER } from './tabs.ts'

export function DashboardPage() {
  return <DashboardScreen tabs={TABS} noticeWatcher={NOTICE_WATCHER} />
}
