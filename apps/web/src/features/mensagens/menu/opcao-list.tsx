import { Link } from '@tanstack/react-router'
import { Suspense, lazy } from 'react'
import clsx from 'clsx'
import type { Setor } from '@balcao/contract/entities/config'
import { formatMarks } from '#shared/preview/format-marks.tsx'
import type { OpcaoListProps } from './opcoes-editor.tsx'
import type { DraftOpcao } from './menu-draft.ts'
import { DEFAULT_REPLY_HINT, OpcaoTypeChip } from './opcao-type.tsx'

interface OpcaoViewProps {
  readonly opcao: DraftOpcao
  readonly setores: readonly Setor[]
  readonly highlighted: boolean
  readonly onHighlight: (numero: string | null) => void
}

function OpcaoView({ opcao, setores, highlighted, onHighlight }: OpcaoViewProps) {
  const reply = opcao.tipo === 'finalizar' ? '' : opcao.resposta.trim()
  return (
    <li
      onMouseEnter={() => onHighlight(opcao.numero)}
      onMouseLeave={() => onHighlight(null)}
      className={clsx('-mx-2 flex gap-3 rounded-xl p-2 transition-colors', highlighted && 'bg-brand-soft')}
    >
      <span className="grid h-9 min-w-9 flex-none place-items-center rounded-[10px] border border-line bg-surface px-1 font-bold text-brand-ink tabular-nums">
        <span>
          <span className="sr-only">Opção </span>
          {opcao.numero}
        </span>
      </span>
      <div className="min-w-0 flex-1 pt-1">
        <p className="flex flex-col items-start gap-x-3 gap-y-1 sm:flex-row sm:items-center">
          <span className="mr-auto min-w-0 font-semibold [overflow-wrap:anywhere]">{opcao.titulo}</span>
          <OpcaoTypeChip opcao={opcao} setores={setores} />
        </p>
        <p
          className={clsx(
            'mt-1 text-sm [overflow-wrap:anywhere] whitespace-pre-line',
            highlighted ? 'text-ink' : 'text-muted',
            reply === '' && 'italic',
          )}
        >
          {reply === '' ? (DEFAULT_REPLY_HINT[opcao.tipo] ?? 'Sem resposta.') : formatMarks(reply)}
        </p>
      </div>
    </li>
  )
}

// Lazy: only an editor needs the fields. Until they load, the read-only options stay.
const OpcoesEditor = lazy(async () => ({ default: (await import('./opcoes-editor.tsx')).OpcoesEditor }))

export function OpcaoList(props: OpcaoListProps) {
  const { editor, iaActive } = props
  const silent = iaActive ? [] : editor.draft.opcoes.filter(({ tipo }) => tipo === 'ia')
  return (
    <>
      {editor.editing ? (
        <Suspense fallback={<OpcoesView {...props} />}>
          <OpcoesEditor {...props} />
        </Suspense>
      ) : (
        <OpcoesView {...props} />
      )}
      {silent.length > 0 && <IaOffNotice numeros={silent.map(({ numero }) => numero)} />}
    </>
  )
}

function OpcoesView({ editor, setores, highlighted, onHighlight }: OpcaoListProps) {
  return (
    <ul className="grid gap-1">
      {editor.draft.opcoes.map((opcao) => (
        <OpcaoView
          key={opcao.key}
          opcao={opcao}
          setores={setores}
          highlighted={highlighted === opcao.numero}
          onHighlight={onHighlight}
        />
      ))}
    </ul>
  )
}

function IaOffNotice({ numeros }: { numeros: readonly string[] }) {
  const subject = numeros.length === 1 ? `A opção ${numeros[0]} chama` : `As opções ${numeros.join(', ')} chamam`
  return (
    <p className="mt-3 rounded-xl bg-warn-soft px-3 py-2 text-sm text-warn-ink">
      {subject} a IA, que está desligada: o cliente recebe “Não entendi” e o menu de novo.{' '}
      <Link to="/dashboard" search={{ aba: 'ia' }} className="font-semibold underline">
        Ligar a IA
      </Link>
    </p>
  )
}
