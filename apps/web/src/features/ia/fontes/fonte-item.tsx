import type { Fonte } from '@balcao/contract/entities/fonte'
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
import { Chip } from '#shared/ui/chip.tsx'
import { Menu } from '#shared/ui/menu.tsx'
import { Spinner } from '#shared/ui/spinner.tsx'
import { fonteFactsOf, FONTE_TIPO_LABEL, isExpired, type TipoFonte } from './fonte-values.ts'
import { useFonteActions } from './use-fonte-actions.ts'

const KIND_ICON: Readonly<Record<TipoFonte, LucideIcon>> = { texto: NotebookText, arquivo: FileText, site: Globe }
const ICON = { size: 16, 'aria-hidden': true } as const

interface FonteItemProps {
  readonly fonte: Fonte
  readonly onTrechos: () => void
  readonly onDelete: () => void
}

export function FonteItem({ fonte, onTrechos, onDelete }: FonteItemProps) {
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
