import { AvisoAndRetention } from './aviso-and-retention.tsx'
import { CustomerData } from './customer-data.tsx'
import type { Operacao } from '@balcao/contract/entities/lgpd'
import { Download } from 'lucide-react'
import { useState } from 'react'
import { downloadText } from '#shared/download.ts'
import { errorMessage } from '#shared/data/error-message.ts'
import { Button } from '#shared/ui/button.tsx'
import { ErrorState, Skeleton } from '#shared/ui/states.tsx'
import { useRegistro } from './lgpd-queries.ts'

export function LgpdContent() {
  return (
    <div className="mt-5 grid gap-8">
      <CustomerData />
      <AvisoAndRetention />
      <LgpdRegistro />
    </div>
  )
}

const REGISTRO_ROWS: readonly (readonly [Exclude<keyof Operacao, 'nome'>, string])[] = [
  ['finalidade', 'Para quê'],
  ['titulares', 'De quem'],
  ['dados', 'Quais dados'],
  ['baseLegal', 'Base legal'],
  ['retencao', 'Por quanto tempo'],
  ['compartilhamento', 'Com quem'],
  ['seguranca', 'Segurança'],
]

function RegistroList() {
  const { data, error, isPending, refetch } = useRegistro()
  if (isPending) return <Skeleton className="mt-3 h-40 w-full" />
  if (data === undefined) return <ErrorState message={errorMessage(error)} onRetry={() => void refetch()} />
  return (
    <div className="mt-3 grid gap-4">
      {data.operacoes.map(({ nome, ...operation }) => (
        <article key={nome} aria-label={nome} className="rounded-card bg-sunken p-4">
          <h4 className="font-bold">{nome}</h4>
          <dl className="mt-2 grid gap-x-4 gap-y-1.5 text-sm sm:grid-cols-[max-content_minmax(0,1fr)]">
            {REGISTRO_ROWS.map(([field, label]) => (
              <div key={field} className="sm:contents">
                <dt className="text-muted">{label}</dt>
                <dd>{operation[field]}</dd>
              </div>
            ))}
          </dl>
        </article>
      ))}
      <div>
        <Button
          onClick={() => downloadText('registro-de-operacoes.json', 'application/json', JSON.stringify(data, null, 2))}
        >
          <Download size={18} aria-hidden /> Baixar registro
        </Button>
      </div>
    </div>
  )
}

/** The record of processing that art. 37 of the LGPD requires, generated from the current settings. */
function LgpdRegistro() {
  const [aberto, setAberto] = useState(false)
  return (
    <section aria-labelledby="lgpd-registro">
      <details onToggle={({ currentTarget }) => setAberto(currentTarget.open)}>
        <summary className="cursor-pointer">
          <h3 id="lgpd-registro" className="inline font-bold">
            Registro das operações
          </h3>
        </summary>
        <p className="mt-1 text-sm text-muted">
          O que a lei pede que toda empresa saiba dizer: o que é feito com os dados, por quê e por quanto tempo.
        </p>
        {aberto && <RegistroList />}
      </details>
    </section>
  )
}
