import { CONNECTORS } from '@balcao/contract/connectors'
import type { Conversa } from '@balcao/contract/entities/conversa'
import type { Mensagem } from '@balcao/contract/entities/mensagem'
import { useCallback, useState } from 'react'
import { useBotStatus } from '#shared/data/bot-status.ts'

export interface ChosenMensagem {
  readonly mensagem: Mensagem
  readonly button: HTMLElement
}

const quotedByConversa = new Map<string, Mensagem>()
addEventListener('saiu', () => quotedByConversa.clear())

/** True if the service has an id for the mensagem, so it can be quoted or reacted to. */
export function hasServiceId({ temporaria, estado, apagada, ligacao }: Mensagem): boolean {
  const stopped = estado === 'pendente' || estado === 'falhou' || estado === 'limite'
  return temporaria !== true && apagada !== true && ligacao === undefined && !stopped
}

export function useMensagemActions({ id, teste }: Conversa, open: boolean) {
  const { conector } = useBotStatus().bot
  const [chosen, setEscolhida] = useState<ChosenMensagem | null>(null)
  const [quoted, setCitada] = useState(() => quotedByConversa.get(id) ?? null)
  const pode = open && (teste || (conector !== undefined && CONNECTORS[conector].marks))
  const abrir = useCallback((mensagem: Mensagem, botao: HTMLElement) => setEscolhida({ mensagem, button: botao }), [])
  return {
    escolhida: pode ? chosen : null,
    fechar: () => setEscolhida(null),
    citada: pode ? quoted : null,
    citar: (mensagem: Mensagem | null): void => {
      if (mensagem === null) quotedByConversa.delete(id)
      else quotedByConversa.set(id, mensagem)
      setCitada(mensagem)
    },
    /** Undefined if the connector does not support it or the user may not write. Otherwise stable. */
    abrir: pode ? abrir : undefined,
  }
}
