import { ConfigHistory } from './configuracao/config-history.tsx'
import { LgpdSection } from './lgpd/lgpd-section.tsx'

export function CollapsedSections({ alterado }: { alterado: boolean }) {
  return (
    <>
      <ConfigHistory alterado={alterado} />
      <LgpdSection />
    </>
  )
}
