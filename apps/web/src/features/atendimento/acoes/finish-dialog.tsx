import type { Conversa } from '@balcao/contract/entities/conversa'
import type { FinishChoice } from '#features/atendimento/conversa/use-chat-actions.ts'
import { ConfirmDialog } from '#shared/ui/confirm-dialog.tsx'

interface FinishDialogProps {
  readonly conversa: Conversa
  readonly onFinish: (how: FinishChoice) => Promise<void>
  readonly onClose: () => void
}

/** An operador wrote, or the owner on the phone. Texts of Meta's agent are not of a person. */
function didPersonWrite({ mensagens }: Conversa): boolean {
  return mensagens.some(
    ({ origem, agenteMeta }) => origem === 'operador' || (origem === 'celular' && agenteMeta !== true),
  )
}

function consequenceOf(stopped: boolean, asks: boolean): string {
  if (stopped) return 'O cliente pediu PARAR: não recebe a despedida nem o pedido de avaliação.'
  return asks
    ? 'O cliente recebe a despedida e o pedido de avaliação.'
    : 'Ninguém da loja escreveu: o cliente recebe a despedida, sem pedido de avaliação.'
}

/** Without a message of a person there is nothing to rate, so the bot does not ask. */
export function FinishDialog({ conversa, onFinish, onClose }: FinishDialogProps) {
  const stopped = conversa.pediuParada === true
  const asks = didPersonWrite(conversa)
  const unrated = { label: 'Finalizar sem pedir nota', onConfirm: () => onFinish('semAvaliacao') }
  const silent = { label: 'Finalizar sem avisar', onConfirm: () => onFinish('silencioso') }
  return (
    <ConfirmDialog
      open
      title={`Finalizar a conversa com ${conversa.cliente.nome}?`}
      confirmLabel="Finalizar"
      alternatives={stopped ? [] : asks ? [silent, unrated] : [silent]}
      onConfirm={() => onFinish(asks ? 'completo' : 'semAvaliacao')}
      onClose={onClose}
    >
      {consequenceOf(stopped, asks)} A conversa sai da lista. Você pode desfazer em 5 segundos e reabri-la por 7 dias.
    </ConfirmDialog>
  )
}
