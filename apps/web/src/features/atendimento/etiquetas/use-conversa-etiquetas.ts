import type { Conversa } from '@balcao/contract/entities/conversa'
import { useQueryClient } from '@tanstack/react-query'
import { showEtiquetas } from '#features/atendimento/lista/conversa-cache.ts'
import { notify } from '#shared/avisos.ts'
import { useSaveContato } from '#shared/data/contatos/contatos.ts'
import { errorMessage } from '#shared/data/error-message.ts'

export interface ConversaEtiquetas {
  readonly ids: readonly string[]
  readonly toggle: (id: string) => void
}

const NONE: readonly string[] = []

/** The etiquetas of the contato of a conversa. A change shows immediately and is taken back if the server refuses it. */
export function useConversaEtiquetas(conversa: Conversa): ConversaEtiquetas {
  const { contatoId = '' } = conversa
  const ids: readonly string[] = conversa.etiquetas ?? NONE
  const client = useQueryClient()
  const { mutate } = useSaveContato(contatoId)
  const toggle = (id: string): void => {
    const etiquetas = ids.includes(id) ? ids.filter((other) => other !== id) : [...ids, id]
    showEtiquetas(client, contatoId, etiquetas)
    mutate(
      { etiquetas },
      {
        onSuccess: (contato) => showEtiquetas(client, contatoId, contato.etiquetas),
        onError: (error) => {
          showEtiquetas(client, contatoId, ids)
          notify.erro(`Erro ao salvar as etiquetas: ${errorMessage(error)}`)
        },
      },
    )
  }
  return { ids, toggle }
}
