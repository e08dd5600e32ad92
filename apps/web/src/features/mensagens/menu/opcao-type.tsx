import type { Setor, TipoOpcao } from '@balcao/contract/entities/config'
import { Flag, Headset, type LucideIcon, MessageSquareText, Rows3, Sparkles, Store } from 'lucide-react'
import { Chip, type ChipTone } from '#shared/ui/chip.tsx'
import type { DraftOpcao } from './menu-draft.ts'

export const OPCAO_TYPES: readonly {
  readonly tipo: TipoOpcao
  readonly rotulo: string
  readonly icone: LucideIcon
  readonly tom: ChipTone
}[] = [
  { tipo: 'ia', rotulo: 'IA', icone: Sparkles, tom: 'roxo' },
  { tipo: 'humano', rotulo: 'Atendente', icone: Headset, tom: 'azul' },
  { tipo: 'mensagem', rotulo: 'Mensagem', icone: MessageSquareText, tom: 'verde' },
  { tipo: 'finalizar', rotulo: 'Finalizar', icone: Flag, tom: 'cinza' },
  { tipo: 'menu', rotulo: 'Menu', icone: Rows3, tom: 'amarelo' },
  { tipo: 'loja', rotulo: 'Loja', icone: Store, tom: 'laranja' },
]

export const DEFAULT_REPLY_HINT: Readonly<Partial<Record<TipoOpcao, string>>> = {
  ia: 'A IA responde a partir da próxima mensagem.',
  finalizar: 'O cliente recebe a mensagem automática “Despedida”.',
  humano: 'O cliente recebe a mensagem automática “Aguardando atendente”.',
  menu: 'O cliente recebe o menu outra vez.',
  loja: 'O cliente recebe só a lista de produtos.',
}

export function OpcaoTypeChip({ opcao, setores }: { opcao: DraftOpcao; setores: readonly Setor[] }) {
  const tipo = OPCAO_TYPES.find((item) => item.tipo === opcao.tipo)
  if (tipo === undefined) return null
  const setor = opcao.tipo === 'humano' ? setores.find(({ id }) => id === (opcao.setor ?? 'geral')) : undefined
  return (
    <Chip tone={tipo.tom}>
      <tipo.icone size={13} aria-hidden />
      {tipo.rotulo}
      {setor !== undefined && ` · ${setor.nome}`}
    </Chip>
  )
}
