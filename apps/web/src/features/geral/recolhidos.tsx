import { ConfigHistory } from './historico.tsx'
import { LgpdSection } from './lgpd/secao.tsx'

export function CollapsedSections({ alterado }: { alterado: boolean }) {
  return (
    <>
      <ConfigHistory alterado={alterado} />
      <LgpdSection />
    </>
  )
}
