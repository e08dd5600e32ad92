import type { Setor } from '@balcao/contract/entities/config'
import type { Conversa } from '@balcao/contract/entities/conversa'
import { lazy, Suspense, useState } from 'react'
import { type ChatActions, useChatActions } from '#features/atendimento/conversa/use-chat-actions.ts'
import { ConfirmDialog } from '#shared/ui/confirm-dialog.tsx'

const TransferDialog = lazy(async () => ({ default: (await import('./transfer-dialog.tsx')).TransferDialog }))
const FinishDialog = lazy(async () => ({ default: (await import('./finish-dialog.tsx')).FinishDialog }))
const ScheduleDialog = lazy(async () => ({
  default: (await import('#features/atendimento/agendadas/schedule-dialog.tsx')).ScheduleDialog,
}))
const NewPedidoDialog = lazy(async () => ({
  default: (await import('#features/atendimento/pedido/new-pedido-dialog.tsx')).NewPedidoDialog,
}))

type ChatQuestion = 'finalizar' | 'devolver' | 'transferir' | 'agendar' | 'pedido' | null

export interface ConversaActs {
  readonly actions: ChatActions
  readonly question: ChatQuestion
  readonly ask: (question: ChatQuestion) => void
}

export function useConversaActs(onLeave: () => void): ConversaActs {
  const actions = useChatActions(onLeave)
  const [question, ask] = useState<ChatQuestion>(null)
  return { actions, question, ask }
}

interface ChatQuestionsProps {
  readonly conversa: Conversa
  readonly setores: readonly Setor[]
  readonly acts: ConversaActs
}

/** Apart from the buttons, which move between header and foot when the window changes its width. */
export function ChatQuestions({ conversa, setores, acts: { actions, question, ask } }: ChatQuestionsProps) {
  const close = (): void => ask(null)
  const { nome } = conversa.cliente
  return (
    <>
      <ConfirmDialog
        open={question === 'devolver'}
        title={`Devolver ${nome} ao bot?`}
        confirmLabel="Devolver ao bot"
        onConfirm={() => actions.returnToBot(conversa)}
        onClose={close}
      >
        O bot volta a responder e a conversa sai da lista. O cliente pode pedir um atendente de novo quando quiser.
      </ConfirmDialog>
      <Suspense>
        {question === 'finalizar' && (
          <FinishDialog conversas={[conversa]} onFinish={(how) => actions.finish(conversa, how)} onClose={close} />
        )}
        {question === 'transferir' && (
          <TransferDialog
            conversas={[conversa]}
            setores={setores}
            onClose={close}
            onChoose={(destination) => {
              close()
              void actions.transfer(conversa, destination)
            }}
          />
        )}
        {question === 'agendar' && <ScheduleDialog conversaId={conversa.id} onClose={close} />}
        {question === 'pedido' && <NewPedidoDialog conversa={conversa} onClose={close} />}
      </Suspense>
    </>
  )
}
