import type { Fonte } from '@balcao/contract/entities/fonte'
import { buscarTrechosRoute } from '@balcao/contract/routes/ia-fontes'
import { useQuery } from '@tanstack/react-query'
import {
  EllipsisVertical,
  FileText,
  Globe,
  type LucideIcon,
  NotebookText,
  RotateCw,
  TextSearch,
  Trash2,
} from 'lucide-react'
import { call } from '#shared/api-client.ts'
import { errorMessage } from '#shared/data/error-message.ts'
import { Button } from '#shared/ui/button.tsx'
import { Chip } from '#shared/ui/chip.tsx'
import { Menu } from '#shared/ui/menu.tsx'
import { Spinner } from '#shared/ui/spinner.tsx'
import { fonteFactsOf, FONTE_TIPO_LABEL, isExpired, type TipoFonte } from './fonte-values.ts'
import { useFonteActions } from './use-fonte-actions.ts'

const KIND_ICON: Readonly<Record<TipoFonte, LucideIcon>> = { texto: NotebookText, arquivo: FileText, site: Globe }
const ICON = { size: 16, 'aria-hidden': true } as const

interface FonteItemProps {
  readonly fonte: Fonte
  /** Questions of customers that it was written for. */
  readonly perguntas?: readonly string[] | undefined
  readonly onTrechos: () => void
  readonly onDelete: () => void
}

export function FonteItem({ fonte, perguntas = [], onTrechos, onDelete }: FonteItemProps) {
  const { tipo, titulo, url, estado, motivo } = fonte
  const { reread } = useFonteActions()
  const Kind = KIND_ICON[tipo]
  return (
    <li className="flex items-start gap-3 p-3 sm:p-4">
      <span aria-hidden className="grid size-10 flex-none place-items-center rounded-full bg-sunken text-muted">
        <Kind size={18} />
      </span>
      <div className="min-w-0 flex-1">
        <div className="flex flex-wrap items-center gap-2">
          <h3 className="min-w-0 font-bold [overflow-wrap:anywhere]">
            <span className="sr-only">{FONTE_TIPO_LABEL[tipo]}: </span>
            {titulo}
          </h3>
          <FonteState fonte={fonte} />
        </div>
        {url !== undefined && url !== titulo && <p className="text-sm break-all text-muted">{url}</p>}
        <p className="text-sm text-muted">{fonteFactsOf(fonte)}</p>
        {estado === 'falhou' && motivo !== undefined && (
          <p className="mt-1 text-sm font-semibold text-danger-ink">{motivo}</p>
        )}
        {perguntas.length > 0 && estado === 'pronta' && <Effect fonte={fonte} perguntas={perguntas} />}
      </div>
      <Menu
        label={`Mais ações de ${titulo}`}
        className="btn btn-ghost btn-icon btn-touch"
        button={<EllipsisVertical size={20} aria-hidden />}
        items={[
          { label: 'Ver os trechos', icon: <TextSearch {...ICON} />, run: onTrechos },
          {
            label: 'Ler de novo',
            icon: <RotateCw {...ICON} />,
            refusal: estado === 'lendo' ? 'Esta fonte está sendo lida agora.' : undefined,
            run: () => void reread(fonte),
          },
          { label: 'Excluir', icon: <Trash2 {...ICON} />, danger: true, run: onDelete },
        ]}
      />
    </li>
  )
}

function FonteState({ fonte }: { readonly fonte: Fonte }) {
  if (fonte.estado === 'lendo') {
    return (
      <Chip tone="azul">
        <Spinner /> Lendo…
      </Chip>
    )
  }
  if (fonte.estado === 'falhou') return <Chip tone="vermelho">Não foi lida</Chip>
  return isExpired(fonte) ? <Chip tone="amarelo">Vencida: a IA não usa</Chip> : <Chip tone="verde">Pronta</Chip>
}

/** The effect of a new source on the questions that it was written for. */
function Effect({
  fonte: { id, lidaEm },
  perguntas,
}: {
  readonly fonte: Fonte
  readonly perguntas: readonly string[]
}) {
  const { data, error, refetch } = useQuery({
    queryKey: ['ia', 'fontes', id, lidaEm, perguntas],
    queryFn: ({ signal }) => findMissed(id, perguntas, signal),
    staleTime: Infinity,
  })
  return (
    <div role="status" className="mt-2 grid gap-1 text-sm">
      {error !== null && (
        <p className="flex flex-wrap items-center gap-2">
          <span>{errorMessage(error)}</span>
          <Button size="touch" onClick={() => void refetch()}>
            Tentar de novo
          </Button>
        </p>
      )}
      {error === null && data === undefined && <p className="text-muted">Vendo o efeito nas perguntas dos clientes…</p>}
      {data !== undefined && <EffectFacts count={perguntas.length} missed={data} />}
    </div>
  )
}

/** The questions whose pieces come from other sources only. */
async function findMissed(id: string, perguntas: readonly string[], signal: AbortSignal): Promise<string[]> {
  const missed: string[] = []
  for (const pergunta of perguntas) {
    const { trechos } = await call(buscarTrechosRoute, { body: { pergunta }, signal })
    if (trechos.every(({ fonteId }) => fonteId !== id)) missed.push(pergunta)
  }
  return missed
}

function foundText(count: number, found: number): string {
  if (found === 0) return 'A IA não encontra esta fonte nas perguntas dos clientes.'
  if (count === 1) return 'A IA encontra esta fonte na pergunta dos clientes.'
  return found === count
    ? `A IA encontra esta fonte nas ${count} perguntas dos clientes.`
    : `A IA encontra esta fonte em ${found} das ${count} perguntas dos clientes.`
}

function EffectFacts({ count, missed }: { readonly count: number; readonly missed: readonly string[] }) {
  return (
    <>
      <p className="font-semibold">{foundText(count, count - missed.length)}</p>
      {missed.length > 0 && (
        <p className="text-muted [overflow-wrap:anywhere]">
          Não encontra em {missed.map((pergunta) => `“${pergunta}”`).join(', ')}. Crie mais uma fonte com essas
          palavras.
        </p>
      )}
    </>
  )
}
