import { Historico } from './historico.tsx'
import { Lgpd } from './lgpd/secao.tsx'

export function Recolhidos({ alterado }: { alterado: boolean }) {
  return (
    <>
      <Historico alterado={alterado} />
      <Lgpd />
    </>
  )
}
