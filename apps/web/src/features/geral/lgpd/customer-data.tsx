import { Search } from 'lucide-react'
import { useState, type FormEvent } from 'react'
import { errorMessage } from '#shared/data/error-message.ts'
import { Button } from '#shared/ui/button.tsx'
import { Skeleton } from '#shared/ui/states.tsx'
import { TextField } from '#shared/ui/text-field.tsx'
import { TitularCard } from './titular-card.tsx'
import { useTitular } from './lgpd-queries.ts'

export function CustomerData() {
  const [written, setEscrito] = useState('')
  const [wanted, setProcurado] = useState('')
  const [faltou, setFaltou] = useState(false)
  const [apagado, setApagado] = useState(false)
  const { data, error, isFetching, refetch } = useTitular(wanted)

  function search(event: FormEvent): void {
    event.preventDefault()
    const telefone = written.trim()
    setFaltou(telefone.length < 3)
    setApagado(false)
    if (telefone.length < 3) return
    if (telefone === wanted) void refetch()
    else setProcurado(telefone)
  }

  function concluir(): void {
    setProcurado('')
    setEscrito('')
    setApagado(true)
  }

  return (
    <section aria-labelledby="lgpd-cliente" className="grid gap-3">
      <div>
        <h3 id="lgpd-cliente" className="font-bold">
          Dados de um cliente
        </h3>
        <p className="mt-0.5 text-sm text-muted">
          Quando um cliente pedir os dados dele, ou pedir para apagá-los, procure pelo telefone. A lei dá até 15 dias
          para a resposta completa.
        </p>
      </div>
      <form noValidate onSubmit={search} className="flex flex-wrap items-end gap-2">
        <div className="max-w-sm grow">
          <TextField
            label="Telefone do cliente"
            inputMode="tel"
            autoComplete="off"
            placeholder="(11) 98765-4321"
            maxLength={100}
            value={written}
            error={faltou ? 'Informe um telefone com DDD' : undefined}
            onChange={({ currentTarget }) => setEscrito(currentTarget.value)}
          />
        </div>
        <Button type="submit" className="min-h-11" busy={isFetching}>
          {!isFetching && <Search size={18} aria-hidden />}
          {isFetching ? 'Procurando…' : 'Procurar'}
        </Button>
      </form>
      <div aria-live="polite" aria-busy={isFetching}>
        {apagado ? (
          // The pressed button was removed, so the focus moves here.
          <p tabIndex={-1} ref={(place) => place?.focus()} className="font-semibold text-brand-ink">
            Pronto: os dados deste cliente foram apagados. Se ele escrever de novo, será como um cliente novo.
          </p>
        ) : wanted === '' ? null : data !== undefined && error === null ? (
          <TitularCard titular={data} searched={wanted} onErased={concluir} />
        ) : isFetching ? (
          <Skeleton className="h-40 w-full" />
        ) : error === null ? null : (
          <p className="font-semibold text-danger-ink">{errorMessage(error)}</p>
        )}
      </div>
    </section>
  )
}
