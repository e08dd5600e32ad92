import { DashboardScreen } from '#features/dashboard/dashboard-screen.tsx'
import { TABS, VIGIA } from './tabs.ts'

export function DashboardPage() {
  return <DashboardScreen abas={TABS} vigia={VIGIA} />
}
