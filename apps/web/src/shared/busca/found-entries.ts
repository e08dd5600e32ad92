import type { Aba } from '@balcao/contract/constants'
import type { Busca } from '@balcao/contract/entities/busca'
import type { StatusConversa } from '@balcao/contract/entities/conversa'
import { formatPhone } from '#shared/format.ts'

export type FoundGroup = 'Clientes' | 'Conversas' | 'Mensagens' | 'Produtos'

/** Search parameters of the address `/dashboard`. */
export interface FoundTarget {
  readonly aba: Aba
  readonly c?: string
  readonly m?: string
}

export interface FoundEntry {
  readonly id: string
  readonly group: FoundGroup
  readonly title: string
  readonly detail: string
  /** Found parts of `detail`. */
  readonly marcas: readonly (readonly [number, number])[]
  readonly target: FoundTarget
}

const STATUS: Readonly<Record<StatusConversa, string>> = {
  aguardando: 'aguardando',
  em_atendimento: 'em atendimento',
  finalizada: 'finalizada',
}

const price = new Intl.NumberFormat('pt-BR', { style: 'currency', currency: 'BRL' })

/** The results in the order in which both the palette and the list show them. */
export function foundEntries({ clientes, conversas, mensagens, produtos }: Busca): readonly FoundEntry[] {
  return [
    ...clientes.map(({ contatoId, nome, telefone, conversaId, status }): FoundEntry => ({
      id: `cliente-${contatoId}`,
      group: 'Clientes',
      title: nome,
      detail: [formatPhone(telefone), ...(status === undefined ? [] : [STATUS[status]])].join(' · '),
      marcas: [],
      target: conversaId === undefined ? { aba: 'contatos' } : { aba: 'atendimento', c: conversaId },
    })),
    ...conversas.map(({ conversaId, protocolo, cliente, status }): FoundEntry => ({
      id: `conversa-${conversaId}`,
      group: 'Conversas',
      title: `${cliente} · ${protocolo}`,
      detail: STATUS[status],
      marcas: [],
      target: { aba: 'atendimento', c: conversaId },
    })),
    ...mensagens.map(({ conversaId, mensagemId, cliente, trecho, marcas }): FoundEntry => ({
      id: `mensagem-${mensagemId}`,
      group: 'Mensagens',
      title: cliente,
      detail: trecho,
      marcas,
      target: { aba: 'atendimento', c: conversaId, m: mensagemId },
    })),
    ...produtos.map(({ id, nome, preco }): FoundEntry => ({
      id: `produto-${id}`,
      group: 'Produtos',
      title: nome,
      detail: price.format(preco),
      marcas: [],
      target: { aba: 'loja' },
    })),
  ]
}
