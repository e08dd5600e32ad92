import { ABAS, COMPONENTE_DA_ABA, type Aba } from '@balcao/contract/constants'
import type { ComponentesPermitidos, TipoUsuario } from '@balcao/contract/entities/usuario'
import { Headset, type LucideIcon, MessagesSquare, ScrollText, SlidersHorizontal, Sparkles, Store } from 'lucide-react'

export interface DescricaoAba {
  readonly titulo: string
  /** For the phone's bottom bar, where six share 320 px. */
  readonly curto: string
  readonly icone: LucideIcon
  /** What the tab is for: shown in the palette and while it is being built. */
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

/** Who is looking: `componentes` is null while the permissions load. */
export interface QuemOlha {
  readonly tipo: TipoUsuario
  readonly componentes: ComponentesPermitidos | null
}

/** Operators serve customers and nothing else (decisions §1). */
const ABAS_DO_OPERADOR: readonly Aba[] = ['atendimento']

/** The tabs of the menu: those that may be seen and, for who has an account, those that are locked. */
export function abasDe(tipo: TipoUsuario): readonly Aba[] {
  return tipo === 'operador' ? ABAS_DO_OPERADOR : ABAS
}

/** Administrators see every tab; so does everybody while the permissions load (spec §6). */
export function podeVer({ tipo, componentes }: QuemOlha, aba: Aba): boolean {
  if (!abasDe(tipo).includes(aba)) return false
  return tipo === 'admin' || componentes === null || componentes[COMPONENTE_DA_ABA[aba]]
}

export function primeiraPermitida(quem: QuemOlha): Aba | null {
  return ABAS.find((aba) => podeVer(quem, aba)) ?? null
}

/** The tab of an address; anything else is the person's first one. */
export function lerAba(valor: unknown, tipo: TipoUsuario): Aba {
  const abas = abasDe(tipo)
  return abas.find((aba) => aba === valor) ?? abas[0] ?? 'geral'
}
