import { Historico } from './historico.tsx'
import { Lgpd } from './lgpd/secao.tsx'

/** What the tab keeps closed at its end, for whoever looks for it. */
export function Recolhidos({ alterado }: { alterado: boolean }) {
  return (
    <>
      <Historico alterado={alterado} />
      <Lgpd />
    </>
  )
}
