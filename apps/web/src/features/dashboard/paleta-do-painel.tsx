import { comandosDoPainel } from './comandos-do-painel.ts'
import { Paleta } from './paleta.tsx'

type Entrada = Parameters<typeof comandosDoPainel>

export interface PaletaDoPainelProps {
  readonly painel: Entrada[0]
  readonly tema: Entrada[1]
  readonly fazer: Entrada[2]
  readonly onFechar: () => void
}

export function PaletaDoPainel({ painel, tema, fazer, onFechar }: PaletaDoPainelProps) {
  return <Paleta comandos={comandosDoPainel(painel, tema, fazer)} onFechar={onFechar} />
}
