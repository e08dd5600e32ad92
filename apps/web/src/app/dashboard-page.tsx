import { DashboardScreen } from '#features/dashboard/dashboard-screen.tsx'
import { TABS, VIGIA } from './tabs.ts'

/** The panel with its tabs: only the app knows both. */
export function DashboardPage() {
  return <DashboardScreen abas={TABS} vigia={VIGIA} />
}
