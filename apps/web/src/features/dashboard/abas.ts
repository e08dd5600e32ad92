import { ABAS, COMPONENTE_DA_ABA, type Aba } from '@balcao/contract/constants'
import type { ComponentesPermitidos, TipoUsuario } from '@balcao/contract/entities/usuario'
import { Headset, type LucideIcon, MessagesSquare, ScrollText, SlidersHorizontal, Sparkles, Store } from 'lucide-react'

export interface DescricaoAba {
  readonly titulo: string
  /** Label for the phone's bottom bar, where six share 320 px. */
  readonly curto: string
  readonly icone: LucideIcon
  readonly paraQue: string
}

export const DESCRICAO_DA_ABA: Readonly<Record<Aba, DescricaoAba>> = {
  geral: {
    titulo: 'Geral',
    curto: 'Geral',
    icone: SlidersHorizontal,
    paraQue: 'Conectar o WhatsApp, ligar o bot e configurar o sistema.',
  },
  mensagens: {
    titulo: 'Mensagens',
    curto: 'Menu',
    icone: MessagesSquare,
    paraQue: 'Escrever o menu, as opções e as mensagens automáticas.',
  },
  ia: {
    titulo: 'IA',
    curto: 'IA',
    icone: Sparkles,
    paraQue: 'Ligar o assistente de IA, treinar as respostas e testar perguntas reais.',
  },
  logs: {
    titulo: 'Logs',
    curto: 'Logs',
    icone: ScrollText,
    paraQue: 'Acompanhar o que o bot faz, filtrar o histórico e pausar para manutenção.',
  },
  atendimento: {
    titulo: 'Atendimento',
    curto: 'Atender',
    icone: Headset,
    paraQue: 'Atender as conversas transferidas para pessoas, por setor.',
  },
  loja: {
    titulo: 'Loja',
    curto: 'Loja',
    icone: Store,
    paraQue: 'Cadastrar os produtos que o bot mostra aos clientes.',
  },
}

/** The current user. `componentes` is null while the permissions load. */
export interface QuemOlha {
  readonly tipo: TipoUsuario
  readonly componentes: ComponentesPermitidos | null
}

/** Administrators see every tab. All users see every tab while the permissions load. */
export function podeVer({ tipo, componentes }: QuemOlha, aba: Aba): boolean {
  return tipo === 'admin' || componentes === null || componentes[COMPONENTE_DA_ABA[aba]]
}

/** Operadores do not see tabs without permission. Other users see them locked. */
export function abasDe(quem: QuemOlha): readonly Aba[] {
  return quem.tipo === 'operador' ? ABAS.filter((aba) => podeVer(quem, aba)) : ABAS
}

export function primeiraPermitida(quem: QuemOlha): Aba | null {
  return ABAS.find((aba) => podeVer(quem, aba)) ?? null
}

/** Parses `?aba=`. Invalid values give the first tab of this user type. */
export function lerAba(valor: unknown, tipo: TipoUsuario): Aba {
  return ABAS.find((aba) => aba === valor) ?? (tipo === 'operador' ? 'atendimento' : 'geral')
}
