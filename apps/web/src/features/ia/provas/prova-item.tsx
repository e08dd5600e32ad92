import type { Prova } from '@balcao/contract/entities/prova'
import { Asterisk, CircleCheck, CircleDashed, CircleX, EllipsisVertical, Pencil, Trash2 } from 'lucide-react'
import { formatDateTime } from '#shared/format.ts'
import { Chip } from '#shared/ui/chip.tsx'
import { Menu } from '#shared/ui/menu.tsx'
import { expectationOf, SOURCE_LABEL } from './prova-values.ts'
import { useProvaActions } from './use-provas.ts'

const ICON = { size: 16, 'aria-hidden': true } as const

interface ProvaItemProps {
  readonly prova: Prova
  readonly onEdit: () => void
  readonly onDelete: () => void
}

export function ProvaItem({ prova, onEdit, onDelete }: ProvaItemProps) {
  const { id, pergunta, origem, obrigatoria, resultado } = prova
  const { setObligatory } = useProvaActions()
  return (
    <li className="flex items-start gap-3 p-3 [contain-intrinsic-size:auto_6rem] [content-visibility:auto] sm:p-4">
      <ResultIcon passou={resultado?.passou} />
      <div className="min-w-0 flex-1">
        <h3 className="font-bold [overflow-wrap:anywhere]">{pergunta}</h3>
        <p className="text-sm text-muted [overflow-wrap:anywhere]">A resposta {expectationOf(prova)}.</p>
        <div className="mt-1.5 flex flex-wrap gap-1.5">
          {obrigatoria && <Chip tone="roxo">Obrigatória</Chip>}
          <Chip>{SOURCE_LABEL[origem]}</Chip>
        </div>
        {resultado !== undefined && <Result {...resultado} />}
      </div>
      <Menu
        label={`Mais ações da pergunta ${pergunta}`}
        className="btn btn-ghost btn-icon btn-touch"
        button={<EllipsisVertical size={20} aria-hidden />}
        items={[
          { label: 'Editar', icon: <Pencil {...ICON} />, run: onEdit },
          {
            label: obrigatoria ? 'Tirar a obrigação' : 'Tornar obrigatória',
            icon: <Asterisk {...ICON} />,
            run: () => void setObligatory(id, !obrigatoria),
          },
          { label: 'Excluir', icon: <Trash2 {...ICON} />, danger: true, run: onDelete },
        ]}
      />
    </li>
  )
}

function ResultIcon({ passou }: { readonly passou: boolean | undefined }) {
  const [Icon, color, text] =
    passou === undefined
      ? ([CircleDashed, 'text-muted', 'Ainda não feita'] as const)
      : passou
        ? ([CircleCheck, 'text-brand-ink', 'Acertou'] as const)
        : ([CircleX, 'text-danger-ink', 'Errou'] as const)
  return (
    <span className={`mt-0.5 flex-none ${color}`}>
      <Icon size={20} aria-hidden />
      <span className="sr-only">{text}</span>
    </span>
  )
}

function Result({ passou, motivo, resposta, em }: NonNullable<Prova['resultado']>) {
  return (
    <details className="mt-2 rounded-xl border text-sm">
      <summary className="px-3 py-3 font-semibold">
        {passou ? 'Acertou' : `Errou${motivo === undefined ? '' : `: ${motivo}`}`}
      </summary>
      <div className="grid gap-1 px-3 pb-3">
        <p className="whitespace-pre-wrap [overflow-wrap:anywhere]">
          {resposta === '' ? 'A IA não respondeu.' : resposta}
        </p>
        <p className="text-muted">Em {formatDateTime(em)}</p>
      </div>
    </details>
  )
}
