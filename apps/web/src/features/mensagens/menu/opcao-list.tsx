import { Link } from '@tanstack/react-router'
import { lazy, Suspense } from 'react'
import { OpcaoView } from './opcao-view.tsx'
import type { OpcaoListProps } from './opcoes-editor.tsx'

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
