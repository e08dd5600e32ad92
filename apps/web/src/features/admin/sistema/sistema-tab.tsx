import { useMutation, useQueryClient } from '@tanstack/react-query'
import { Clock, Cpu, HardDrive, MemoryStick } from 'lucide-react'
import { useState } from 'react'
import type { RestoreDecision, SistemaAdmin } from '@balcao/contract/entities/sistema-admin'
import { liberarCopiaRoute } from '@balcao/contract/routes/admin'
import { call } from '#shared/api-client.ts'
import { formatDateTime, formatNumber, formatPercent, zonedFormat } from '#shared/format.ts'
import { Meter } from '#shared/ui/meter.tsx'
import { StatCard } from '#shared/ui/stat-card.tsx'
import { ErrorState, Skeleton } from '#shared/ui/states.tsx'
import { notify } from '#shared/avisos.ts'
import { Button } from '#shared/ui/button.tsx'
import { Card } from '#shared/ui/card.tsx'
import { Chip } from '#shared/ui/chip.tsx'
import { ConfirmDialog } from '#shared/ui/confirm-dialog.tsx'
import { useSistema } from '#features/admin/admin-queries.ts'
import { attempt } from '#features/admin/usuarios/usuario-actions.ts'
import {
  formatBytes,
  formatLongDuration,
  BotsCard,
  EmailsCard,
  Item,
  ItemList,
  QueueCard,
  StorageCard,
  VersionsCard,
} from './sistema-cards.tsx'
import { BackupCard } from './backup-card.tsx'
import { NodesCard } from './nodes-card.tsx'
import { VersionCard } from './version-card.tsx'

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

function RestoreCard({ restauracao }: { restauracao: NonNullable<SistemaAdmin['restauracao']> }) {
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
    await attempt('Erro ao liberar os envios', async () => {
      await mutateAsync(decisao)
      notify.sucesso(QUESTION[decisao].done)
    })
  }
}

const timeFormat = zonedFormat({ timeStyle: 'medium' })

export function SistemaTab() {
  const { data, error, refetch, isRefetchError } = useSistema()
  return (
    <section aria-labelledby="sistema" aria-busy={data === undefined && error === null} className="grid gap-4">
      <div className="flex flex-wrap items-baseline justify-between gap-x-4">
        <h2 id="sistema" className="text-xl font-bold">
          Sistema
        </h2>
        {data !== undefined && (
          <p className="text-sm text-muted tabular-nums">
            {isRefetchError ? 'Sem resposta do servidor. Última medição' : 'Medido'} às{' '}
            <time dateTime={data.em}>{timeFormat(data.em)}</time>
          </p>
        )}
      </div>
      {data !== undefined ? (
        <Measures sistema={data} />
      ) : error !== null ? (
        <div className="card">
          <ErrorState message={error.message} onRetry={() => void refetch()} />
        </div>
      ) : (
        <SistemaSkeleton />
      )}
    </section>
  )
}

function Measures({ sistema }: { sistema: SistemaAdmin }) {
  return (
    <>
      {sistema.restauracao !== null && <RestoreCard restauracao={sistema.restauracao} />}
      <Machine sistema={sistema} />
      <div className="grid grid-cols-[minmax(0,1fr)] items-start gap-4 lg:grid-cols-2">
        <BotsCard sistema={sistema} />
        <QueueCard sistema={sistema} />
        <BackupCard sistema={sistema} />
        <EmailsCard emails={sistema.emails} />
        <StorageCard sistema={sistema} />
        <VersionsCard versoes={sistema.versoes} />
      </div>
      <NodesCard sistema={sistema} />
      <VersionCard />
    </>
  )
}

const usageTone = (percent: number): 'brand' | 'warn' | 'danger' =>
  percent > 90 ? 'danger' : percent > 75 ? 'warn' : 'brand'

function Machine({ sistema: { noArS, cpuPercentual, tempoRespostaS, memoria, disco } }: { sistema: SistemaAdmin }) {
  const used = (memoria.usadaBytes / Math.max(1, memoria.totalBytes)) * 100
  const busy = (1 - disco.livreBytes / Math.max(1, disco.totalBytes)) * 100
  return (
    <div className="grid grid-cols-2 gap-3 xl:grid-cols-4">
      <StatCard
        label="No ar há"
        icon={<Clock size={18} aria-hidden className="flex-none max-sm:hidden" />}
        value={formatLongDuration(noArS)}
        detail={`resposta média de ${Math.round(tempoRespostaS * 1000)} ms`}
      />
      <StatCard
        label="Processador"
        icon={<Cpu size={18} aria-hidden className="flex-none max-sm:hidden" />}
        value={formatPercent(cpuPercentual)}
        detail={<UsageBar label="Uso do processador" percent={cpuPercentual} />}
      />
      <StatCard
        label="Memória"
        icon={<MemoryStick size={18} aria-hidden className="flex-none max-sm:hidden" />}
        value={formatBytes(memoria.processoBytes)}
        detail={
          <>
            <UsageBar label="Memória da máquina em uso" percent={used} />
            <span className="mt-1 block">
              máquina: {formatBytes(memoria.usadaBytes)} de {formatBytes(memoria.totalBytes)}
            </span>
          </>
        }
      />
      <StatCard
        label="Disco livre"
        icon={<HardDrive size={18} aria-hidden className="flex-none max-sm:hidden" />}
        value={formatBytes(disco.livreBytes)}
        detail={
          <>
            <UsageBar label="Disco ocupado" percent={busy} />
            <span className="mt-1 block">de {formatBytes(disco.totalBytes)}</span>
          </>
        }
      />
    </div>
  )
}

function UsageBar({ label, percent }: { label: string; percent: number }) {
  return (
    <span className="mt-1.5 block">
      <Meter label={label} percent={percent} color={usageTone(percent)} />
    </span>
  )
}

function SistemaSkeleton() {
  return (
    <div role="status" aria-label="Carregando o sistema" className="grid gap-4">
      <div className="grid grid-cols-2 gap-3 xl:grid-cols-4">
        {[1, 2, 3, 4].map((card) => (
          <Skeleton key={card} className="h-28 w-full rounded-card" />
        ))}
      </div>
      <div className="grid gap-4 lg:grid-cols-2">
        {[1, 2, 3, 4].map((card) => (
          <Skeleton key={card} className="h-40 w-full rounded-card" />
        ))}
      </div>
    </div>
  )
}
