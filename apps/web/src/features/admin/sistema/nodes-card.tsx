import type { NodeStatus, SistemaAdmin } from '@balcao/contract/entities/sistema-admin'
import { formatNumber, formatPercent } from '#shared/format.ts'
import { Card } from '#shared/ui/card.tsx'
import { Chip } from '#shared/ui/chip.tsx'
import { Meter } from '#shared/ui/meter.tsx'
import { formatBytes, formatLongDuration, Item, ItemList } from './sistema-cards.tsx'

/** A node signs every 2 s, and the others take its bots after 10 s. */
const LATE_SIGN_S = 5
const ALMOST_FULL = 80

export function NodesCard({ sistema }: { sistema: SistemaAdmin }) {
  const { nos } = sistema
  return (
    <Card heading={`Processos no ar (${formatNumber(nos.length)})`}>
      {nos.length === 0 && <p className="text-sm text-muted">Nenhum processo deu sinal nos últimos segundos.</p>}
      <ul className="grid grid-cols-[minmax(0,1fr)] gap-3 md:grid-cols-2 xl:grid-cols-3">
        {nos.map((no) => (
          <NodeItem key={no.id} no={no} sistema={sistema} />
        ))}
      </ul>
      {nos.length > 1 && <Together sistema={sistema} />}
    </Card>
  )
}

const secondsBetween = (from: string, until: string): number =>
  Math.max(0, (Date.parse(until) - Date.parse(from)) / 1000)

function NodeItem({ no, sistema: { em, botsPorNoMaximo } }: { no: NodeStatus; sistema: SistemaAdmin }) {
  const signS = secondsBetween(no.vistoEm, em)
  // A single process signs every 30 s.
  const late = botsPorNoMaximo !== null && signS > LATE_SIGN_S
  return (
    <li className="rounded-xl border border-line p-3">
      <h3 className="flex flex-wrap items-center gap-2 font-semibold">
        <span className="min-w-0 break-all">{no.nome}</span>
        {no.este && <Chip tone="azul">Respondeu agora</Chip>}
        {no.saindo && <Chip tone="amarelo">Desligando</Chip>}
        {late && <Chip tone="vermelho">Sem sinal</Chip>}
      </h3>
      <p className="mt-0.5 text-sm text-muted tabular-nums">
        {no.versao} · no ar há {formatLongDuration(secondsBetween(no.iniciadoEm, em))}
      </p>
      <div className="mt-3 text-sm">
        <p className="flex justify-between gap-4">
          <span className="text-muted">Bots</span>
          <span className="font-semibold tabular-nums">
            {formatNumber(no.bots)}
            {botsPorNoMaximo !== null && (
              <span className="font-normal text-muted"> de {formatNumber(botsPorNoMaximo)}</span>
            )}
          </span>
        </p>
        {botsPorNoMaximo !== null && <SizeRule bots={no.bots} max={botsPorNoMaximo} />}
      </div>
      <dl className="mt-2 divide-y divide-line border-t border-line text-sm">
        <Item name="Memória">{formatBytes(no.memoriaBytes)}</Item>
        <Item name="Processador">{formatPercent(no.cpuPercentual)}</Item>
        <Item name="Último sinal">
          <span className={late ? 'text-danger-ink' : ''}>{agoText(signS)}</span>
        </Item>
        {botsPorNoMaximo !== null && !no.este && (
          <Item name="Último recado dele">
            {no.ultimoRecadoS === null ? 'Nenhum ainda' : agoText(no.ultimoRecadoS)}
          </Item>
        )}
      </dl>
    </li>
  )
}

const agoText = (seconds: number): string => (seconds < 1 ? 'agora' : `há ${formatLongDuration(seconds)}`)

function SizeRule({ bots, max }: { bots: number; max: number }) {
  const percent = (bots / max) * 100
  return (
    <div className="mt-1.5">
      <Meter
        label="Bots deste processo em relação ao máximo"
        percent={Math.min(100, percent)}
        color={percent > 100 ? 'danger' : percent > ALMOST_FULL ? 'warn' : 'brand'}
      />
      {percent > ALMOST_FULL && (
        <p className="mt-1.5 text-muted">
          {percent > 100
            ? 'Há bots demais aqui. Se este processo parar, nem todos voltam em 30 segundos.'
            : 'Quase no máximo.'}{' '}
          Inicie mais um processo.
        </p>
      )}
    </div>
  )
}

function Together({ sistema: { nos, bots, recados, botsPorNoMaximo } }: { sistema: SistemaAdmin }) {
  const shared = nos.every(({ arquivosCompartilhados }) => arquivosCompartilhados)
  return (
    <div className="mt-4 lg:max-w-xl">
      <h3 className="font-semibold">Em conjunto</h3>
      <ItemList>
        <Item name="Bots à espera de um processo">
          <span className={bots.semDono > 0 ? 'text-danger-ink' : ''}>{formatNumber(bots.semDono)}</span>
        </Item>
        {botsPorNoMaximo !== null && <Item name="Máximo de bots por processo">{formatNumber(botsPorNoMaximo)}</Item>}
        <Item name="Recados recebidos dos outros">{formatNumber(recados.recebidos)}</Item>
        <Item name="Vezes em que faltaram recados">{formatNumber(recados.lacunas)}</Item>
        <Item name="Arquivos compartilhados">
          <span className={shared ? '' : 'text-danger-ink'}>{shared ? 'Sim' : 'Não'}</span>
        </Item>
      </ItemList>
      {!shared && (
        <p className="mt-2 text-sm text-muted">
          Fotos e áudios de um processo não abrem em outro. Defina{' '}
          <code className="font-semibold whitespace-nowrap">S3_BUCKET</code> ou{' '}
          <code className="font-semibold whitespace-nowrap">ARQUIVOS_DIR</code> em todos.
        </p>
      )}
    </div>
  )
}
