import type { Mensagem } from '@balcao/contract/entities/mensagem'
import { useState } from 'react'
import type { MensagemMarking } from '#features/atendimento/conversa/use-reactions.ts'
import { ConfirmDialog } from '#shared/ui/confirm-dialog.tsx'
import { EditDialog } from './edit-dialog.tsx'
import { ForwardDialog } from './forward-dialog.tsx'
import { MensagemMenu, type MensagemQuestion } from './mensagem-menu.tsx'
import { useChangeSent } from './use-change-sent.ts'

export interface MensagemActsProps {
  readonly conversaId: string
  readonly marks: MensagemMarking
}

/** The menu of one mensagem, then the dialog of the chosen act. */
export function MensagemActs({ conversaId, marks }: MensagemActsProps) {
  const [question, ask] = useState<MensagemQuestion | null>(null)
  const { chosen, canMark, canChange, quote, close } = marks
  if (chosen === null) return null
  if (question === null) {
    return (
      <MensagemMenu
        key={chosen.mensagem.id}
        {...{ conversaId, chosen, canMark, canChange }}
        onReply={quote}
        onAsk={ask}
        onClose={close}
      />
    )
  }
  return <MensagemDialog {...{ conversaId, question }} mensagem={chosen.mensagem} onClose={close} />
}

interface MensagemDialogProps {
  readonly conversaId: string
  readonly question: MensagemQuestion
  readonly mensagem: Mensagem
  readonly onClose: () => void
}

function MensagemDialog({ conversaId, question, mensagem, onClose }: MensagemDialogProps) {
  const { edit, remove } = useChangeSent(conversaId, mensagem.id)
  switch (question) {
    case 'encaminhar':
      return <ForwardDialog {...{ conversaId, mensagem, onClose }} />
    case 'editar':
      return <EditDialog mensagem={mensagem} onSave={edit} onClose={onClose} />
    case 'apagar':
      return (
        <ConfirmDialog
          open
          title="Apagar esta mensagem para todos?"
          confirmLabel="Apagar"
          onConfirm={remove}
          onClose={onClose}
        >
          O cliente vê que uma mensagem foi apagada. Aqui o texto continua visível para a equipe.
        </ConfirmDialog>
      )
    default:
      return question satisfies never
  }
}
