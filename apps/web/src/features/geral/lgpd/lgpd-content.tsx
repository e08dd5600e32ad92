import { AvisoAndRetention } from './aviso-and-retention.tsx'
import type { Operacao } from '@balcao/contract/entities/lgpd'
import { Download, Search } from 'lucide-react'
import { useState, type FormEvent } from 'react'
import { downloadText } from '#shared/download.ts'
import { errorMessage } from '#shared/data/error-message.ts'
import { Button } from '#shared/ui/button.tsx'
import { ErrorState, Skeleton } from '#shared/ui/states.tsx'
import { useRegistro, useTitular } from './lgpd-queries.ts'
import { TextField } from '#shared/ui/text-field.tsx'
import { TitularCard } from './titular-card.tsx'

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

interface Erased {
  /** Notas of other contatos with the name. Null: not searched. Undefined: an older server. */
  readonly notasDeOutros: number | null | undefined
}

function notasSentence(notas: Erased['notasDeOutros']): string {
  if (notas === null) return 'As notas de outros contatos não foram procuradas e podem citar este nome.'
  if (notas === undefined || notas === 0) return ''
  const stay = 'até o fim do prazo das conversas'
  return notas === 1
    ? `1 nota de outro contato cita este nome e continua ${stay}.`
    : `${notas} notas de outros contatos citam este nome e continuam ${stay}.`
}

function CustomerData() {
  const [written, setWritten] = useState('')
  const [wanted, setWanted] = useState('')
  const [tooShort, setTooShort] = useState(false)
  const [erased, setErased] = useState<Erased | null>(null)
  const { data, error, isFetching, refetch } = useTitular(wanted)

  function search(event: FormEvent): void {
    event.preventDefault()
    const telefone = written.trim()
    setTooShort(telefone.length < 3)
    setErased(null)
    if (telefone.length < 3) return
    if (telefone === wanted) void refetch()
    else setWanted(telefone)
  }

  function finish(notasDeOutros: Erased['notasDeOutros']): void {
    setWanted('')
    setWritten('')
    setErased({ notasDeOutros })
  }

  return (
    <section aria-labelledby="lgpd-cliente" className="grid gap-3">
      <div>
        <h3 id="lgpd-cliente" className="font-bold">
          Dados de um cliente
        </h3>
        <p className="mt-0.5 text-sm text-muted">
          Procure pelo telefone. Se o cliente esconde o número, use o @nome de usuário ou o protocolo. A lei dá até 15
          dias para a resposta completa.
        </p>
      </div>
      <SearchForm
        phone={written}
        error={tooShort ? 'Informe o telefone com DDD, o @nome ou o protocolo.' : undefined}
        searching={isFetching}
        onChange={setWritten}
        onSubmit={search}
      />
      <div aria-live="polite" aria-busy={isFetching}>
        {erased !== null ? (
          // The pressed button was removed, so the focus moves here.
          <p tabIndex={-1} ref={(place) => place?.focus()} className="font-semibold text-brand-ink">
            Pronto: os dados deste cliente foram apagados. Se ele escrever de novo, será como um cliente novo.{' '}
            {notasSentence(erased.notasDeOutros)}
          </p>
        ) : wanted === '' ? null : data !== undefined && error === null ? (
          <TitularCard titular={data} searched={wanted} onErased={finish} />
        ) : isFetching ? (
          <Skeleton className="h-40 w-full" />
        ) : error === null ? null : (
          <p className="font-semibold text-danger-ink">{errorMessage(error)}</p>
        )}
      </div>
    </section>
  )
}

interface SearchFormProps {
  readonly phone: string
  readonly error: string | undefined
  readonly searching: boolean
  readonly onChange: (phone: string) => void
  readonly onSubmit: (event: FormEvent) => void
}

function SearchForm({ phone, error, searching, onChange, onSubmit }: SearchFormProps) {
  return (
    <form noValidate onSubmit={onSubmit} className="flex flex-wrap items-end gap-2">
      <div className="max-w-sm grow">
        <TextField
          label="Telefone, @nome ou protocolo"
          inputMode="text"
          autoComplete="off"
          placeholder="(11) 98765-4321"
          maxLength={200}
          value={phone}
          error={error}
          onChange={({ currentTarget }) => onChange(currentTarget.value)}
        />
      </div>
      <Button type="submit" className="min-h-11" busy={searching}>
        {!searching && <Search size={18} aria-hidden />}
        {searching ? 'Procurando…' : 'Procurar'}
      </Button>
    </form>
  )
}
