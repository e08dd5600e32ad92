import { ConfirmDialog } from '#shared/ui/confirm-dialog.tsx'
import { Dialog } from '#shared/ui/dialog.tsx'
import type { ChatProps } from './chat.tsx'
import { ConversaDetails } from './details.tsx'
import { TransferDialog } from '#features/atendimento/transferir.tsx'
import type { ChatActions } from './use-chat-actions.ts'

export type ChatQuestion = 'finalizar' | 'devolver' | 'transferir' | 'detalhes' | null

interface ChatQuestionsProps extends Pick<ChatProps, 'conversa' | 'setor' | 'setores'> {
  readonly actions: ChatActions
  readonly pergunta: ChatQuestion
  readonly close: () => void
}

export function ChatQuestions({ pergunta, close, conversa, setor, setores, actions }: ChatQuestionsProps) {
  const { nome } = conversa.cliente
  return (
    <>
      <ConfirmDialog
        open={pergunta === 'finalizar'}
        title={`Finalizar a conversa com ${nome}?`}
        confirmLabel="Finalizar"
        onConfirm={() => actions.finish(conversa)}
        onClose={close}
      >
        {conversa.pediuParada === true
          ? 'O cliente pediu PARAR: não recebe a despedida nem o pedido de avaliação.'
          : 'O cliente recebe a despedida e o pedido de avaliação.'}{' '}
        A conversa sai da lista e não pode mais ser respondida.
      </ConfirmDialog>
      <ConfirmDialog
        open={pergunta === 'devolver'}
        title={`Devolver ${nome} ao bot?`}
        confirmLabel="Devolver ao bot"
        onConfirm={() => actions.returnToBot(conversa)}
        onClose={close}
      >
        O bot volta a responder e a conversa sai da lista. O cliente pode pedir um atendente de novo quando quiser.
      </ConfirmDialog>
      {pergunta === 'transferir' && (
        <TransferDialog
          conversa={conversa}
          setores={setores}
          onClose={close}
          onChoose={(destination) => {
            close()
            void actions.transfer(conversa, destination)
          }}
        />
      )}
      <Dialog open={pergunta === 'detalhes'} title={nome} onClose={close}>
        <ConversaDetails conversa={conversa} setor={setor} />
      </Dialog>
    </>
  )
}
