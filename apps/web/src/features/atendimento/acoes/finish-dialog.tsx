import type { Conversa } from '@balcao/contract/entities/conversa'
import { ConfirmDialog } from '#shared/ui/confirm-dialog.tsx'
import { isAnsweredByPerson, type FinishChoice } from './act-bodies.ts'

interface FinishDialogProps {
  /** At least one. */
  readonly conversas: readonly Conversa[]
  readonly onFinish: (how: FinishChoice) => Promise<void>
  readonly onClose: () => void
}

function consequenceOf(stopped: boolean, asks: boolean): string {
  if (stopped) return 'O cliente pediu PARAR: não recebe a despedida nem o pedido de avaliação.'
  return asks
    ? 'O cliente recebe a despedida e o pedido de avaliação.'
    : 'Ninguém da loja escreveu: o cliente recebe a despedida, sem pedido de avaliação.'
}

/** The consequence for several customers, of whom some may be stopped or without an answer. */
function consequenceOfMany(stopped: number, asked: number, count: number): string {
  if (stopped === count) return 'Os clientes pediram PARAR: não recebem a despedida nem o pedido de avaliação.'
  const reached =
    asked === 0
      ? 'Ninguém da loja escreveu: os clientes recebem a despedida, sem pedido de avaliação.'
      : asked === count
        ? 'Os clientes recebem a despedida e o pedido de avaliação.'
        : 'Os clientes recebem a despedida. O pedido de avaliação vai só para quem a loja respondeu.'
  return stopped === 0 ? reached : `${reached} Quem pediu PARAR não recebe nada.`
}

/** Without a message of a person there is nothing to rate, so the bot does not ask. */
export function FinishDialog({ conversas, onFinish, onClose }: FinishDialogProps) {
  const [only, another] = conversas
  const many = another !== undefined
  const stopped = conversas.filter(({ pediuParada }) => pediuParada === true).length
  const asked = conversas.filter(isAnsweredByPerson).length
  const unrated = { label: 'Finalizar sem pedir nota', onConfirm: () => onFinish('semAvaliacao') }
  const silent = { label: 'Finalizar sem avisar', onConfirm: () => onFinish('silencioso') }
  const alternatives = asked > 0 ? [silent, unrated] : [silent]
  return (
    <ConfirmDialog
      open
      title={
        many ? `Finalizar ${conversas.length} conversas?` : `Finalizar a conversa com ${only?.cliente.nome ?? ''}?`
      }
      confirmLabel="Finalizar"
      alternatives={stopped === conversas.length ? [] : alternatives}
      onConfirm={() => onFinish(asked > 0 ? 'completo' : 'semAvaliacao')}
      onClose={onClose}
    >
      {many
        ? `${consequenceOfMany(stopped, asked, conversas.length)} As conversas saem da lista. Você pode desfazer em 5 segundos e reabri-las por 7 dias.`
        : `${consequenceOf(stopped > 0, asked > 0)} A conversa sai da lista. Você pode desfazer em 5 segundos e reabri-la por 7 dias.`}
    </ConfirmDialog>
  )
}
