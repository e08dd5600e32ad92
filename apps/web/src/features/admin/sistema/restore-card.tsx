import type { RestoreDecision, SistemaAdmin } from '@balcao/contract/entities/sistema-admin'
import { liberarCopiaRoute } from '@balcao/contract/routes/admin'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { call } from '#shared/api-client.ts'
import { notify } from '#shared/avisos.ts'
import { formatDateTime, formatNumber } from '#shared/format.ts'
import { Button } from '#shared/ui/button.tsx'
import { Card } from '#shared/ui/card.tsx'
import { Chip } from '#shared/ui/chip.tsx'
import { ConfirmDialog } from '#shared/ui/confirm-dialog.tsx'
import { notifyError } from '#features/admin/usuarios/usuario-actions.ts'
import { Item, ItemList } from './sistema-cards.tsx'

interface Question {
  readonly button: string
  readonly title: string
  readonly text: string
  readonly confirm: string
  readonly done: string
}

const QUESTION: Readonly<Record<RestoreDecision, Question>> = {
  descartar: {
    button: 'Descartar o que esperava e ligar',
    title: 'Descartar o que esperava?',
    text: 'As mensagens ficam marcadas como não enviadas, com o botão “Tentar de novo”. Os e-mails e as agendadas vencidas não saem. Os bots ligam.',
    confirm: 'Descartar e ligar',
    done: 'O que esperava foi descartado. Os bots estão ligando.',
  },
  enviar: {
    button: 'Enviar o que esperava e ligar',
    title: 'Enviar o que esperava?',
    text: 'Clientes podem receber de novo o que já saiu depois desta cópia. Os bots ligam.',
    confirm: 'Enviar e ligar',
    done: 'O que esperava está saindo. Os bots estão ligando.',
  },
}

/** Asks what to do with the work of an imported backup. */
export function RestoreCard({ restauracao }: { restauracao: NonNullable<SistemaAdmin['restauracao']> }) {
  const { copiaDe, importadaEm, mensagens, emails, bots, agendadas } = restauracao
  const [asked, setAsked] = useState<RestoreDecision | null>(null)
  const decide = useDecide()
  const shown = asked === null ? null : QUESTION[asked]
  return (
    <Card
      heading="O sistema voltou de uma cópia"
      actions={<Chip tone="amarelo">Espera a sua decisão</Chip>}
      className="border-2 border-warn-fill"
    >
      <p>Nada sai e nenhum bot liga até você decidir.</p>
      <div className="mt-3">
        <ItemList>
          <Item name="Momento da cópia">
            <time dateTime={copiaDe}>{formatDateTime(copiaDe)}</time>
          </Item>
          <Item name="Importada em">
            <time dateTime={importadaEm}>{formatDateTime(importadaEm)}</time>
          </Item>
          <Item name="Mensagens que esperavam">{formatNumber(mensagens)}</Item>
          <Item name="E-mails que esperavam">{formatNumber(emails)}</Item>
          <Item name="Agendadas vencidas">{formatNumber(agendadas)}</Item>
          <Item name="Bots que estavam ligados">{formatNumber(bots)}</Item>
        </ItemList>
      </div>
      <p className="mt-3 text-sm text-muted">
        Mensagens com o prazo vencido não saem: 24 horas para as do bot, 3 dias para as de pessoas.
      </p>
      <div className="mt-4 flex flex-wrap gap-2">
        <Button variant="primary" size="touch" onClick={() => setAsked('descartar')}>
          {QUESTION.descartar.button}
        </Button>
        <Button size="touch" onClick={() => setAsked('enviar')}>
          {QUESTION.enviar.button}
        </Button>
      </div>
      <ConfirmDialog
        open={shown !== null}
        title={shown?.title ?? ''}
        confirmLabel={shown?.confirm ?? ''}
        onConfirm={async () => (asked === null ? undefined : decide(asked))}
        onClose={() => setAsked(null)}
      >
        {shown?.text}
        {asked === 'enviar' && agendadas > 0 && ` Agendadas vencidas que saem: ${formatNumber(agendadas)}.`}
      </ConfirmDialog>
    </Card>
  )
}

function useDecide(): (decisao: RestoreDecision) => Promise<void> {
  const cache = useQueryClient()
  const { mutateAsync } = useMutation({
    mutationFn: (decisao: RestoreDecision) => call(liberarCopiaRoute, { body: { decisao } }),
    onSettled: () => cache.invalidateQueries({ queryKey: ['admin', 'sistema'] }),
  })
  return async (decisao) => {
    try {
      await mutateAsync(decisao)
      notify.sucesso(QUESTION[decisao].done)
    } catch (error) {
      notifyError('Erro ao liberar os envios', error)
    }
  }
}
