import type { Conversa } from '@balcao/contract/entities/conversa'
import { lazy, Suspense } from 'react'
import { ChatQuestions } from '#features/atendimento/acoes/chat-questions.tsx'
import { useChatActions } from '#features/atendimento/conversa/use-chat-actions.ts'
import { useConversaEtiquetas } from '#features/atendimento/etiquetas/use-conversa-etiquetas.ts'
import { useSetoresWithDefault } from '#features/atendimento/setores/use-setores.ts'

const EtiquetaDialog = lazy(async () => ({
  default: (await import('#features/atendimento/etiquetas/etiqueta-dialog.tsx')).EtiquetaDialog,
}))

export type RowAct = 'etiquetas' | 'transferir' | 'finalizar'

interface RowQuestionProps {
  readonly conversa: Conversa
  readonly act: RowAct
  readonly onClose: () => void
}

/** The dialog of an act on one row, without its chat. */
export function RowQuestion({ conversa, act, onClose }: RowQuestionProps) {
  const chosen = useConversaEtiquetas(conversa)
  const setores = useSetoresWithDefault()
  const actions = useChatActions(() => undefined, false)
  if (act === 'etiquetas') {
    return (
      <Suspense>
        <EtiquetaDialog cliente={conversa.cliente.nome} {...{ chosen, onClose }} />
      </Suspense>
    )
  }
  return <ChatQuestions {...{ conversa, setores }} acts={{ actions, question: act, ask: onClose }} />
}
