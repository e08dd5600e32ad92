import { AvailabilitySwitch } from '#features/atendimento/availability.tsx'
import { PushSettings } from '#features/atendimento/avisos/push-settings.tsx'
import { ContaScreen } from '#features/conta/minha-conta/conta-screen.tsx'

export function ContaPage() {
  return <ContaScreen notices={<PushSettings />} availability={<AvailabilitySwitch />} />
}
