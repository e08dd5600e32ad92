import clsx from 'clsx'
import { UserPlus } from 'lucide-react'
import { useRef } from 'react'
import { TextField } from '#shared/ui/text-field.tsx'
import { type SimuladorCustomer, isSameCustomer, newSimuladorCustomer, isValidPhone } from './simulated-customers.ts'

export interface CustomerPickerProps {
  readonly cliente: SimuladorCustomer
  readonly clientes: readonly SimuladorCustomer[]
  readonly onChange: (customer: SimuladorCustomer) => void
}

const CHIP_CLASS = 'inline-flex min-h-9 flex-none items-center gap-1.5 rounded-full border px-3 text-sm font-semibold'

export function CustomerPicker({ cliente, clientes, onChange }: CustomerPickerProps) {
  const name = useRef<HTMLInputElement>(null)
  const create = (): void => {
    onChange(newSimuladorCustomer(clientes))
    setTimeout(() => name.current?.select())
  }
  return (
    <section aria-labelledby="quem" className="card p-3 sm:p-5">
      <h2 id="quem" className="mb-4 text-lg font-bold max-lg:sr-only">
        Quem escreve
      </h2>
      <div className="grid grid-cols-2 gap-3 lg:grid-cols-1">
        <TextField
          ref={name}
          label="Nome do cliente"
          autoComplete="off"
          className="max-sm:px-2.5"
          maxLength={120}
          value={cliente.nome}
          onChange={({ currentTarget }) => onChange({ ...cliente, nome: currentTarget.value })}
        />
        <TextField
          label="Telefone do cliente"
          type="tel"
          autoComplete="off"
          className="max-sm:px-2.5"
          maxLength={25}
          value={cliente.telefone}
          error={isValidPhone(cliente.telefone) ? undefined : 'Informe um telefone com DDD'}
          onChange={({ currentTarget }) => onChange({ ...cliente, telefone: currentTarget.value })}
        />
      </div>
      <div role="group" aria-label="Clientes" className="relative mt-3 flex gap-2 overflow-x-auto lg:flex-wrap">
        {clientes.map((other) => (
          <button
            key={other.telefone}
            type="button"
            aria-pressed={isSameCustomer(other, cliente)}
            onClick={() => onChange(other)}
            className={clsx(
              CHIP_CLASS,
              isSameCustomer(other, cliente) ? 'border-brand bg-brand-soft text-brand-ink' : 'border-line-strong',
            )}
          >
            {other.nome.trim() === '' ? other.telefone : other.nome}
          </button>
        ))}
        <button type="button" onClick={create} className={clsx(CHIP_CLASS, 'border-dashed border-line-strong')}>
          <UserPlus size={16} aria-hidden /> Novo cliente
        </button>
      </div>
    </section>
  )
}
