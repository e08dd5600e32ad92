import { Link } from '@tanstack/react-router'
import { ArrowLeft, Lock, UserPlus } from 'lucide-react'
import { useRef, useState } from 'react'
import clsx from 'clsx'
import { connectorOf } from '@balcao/contract/connectors'
import type { Linha } from '@balcao/contract/entities/linha'
import { TestMode } from '#shared/conexao/test-mode.tsx'
import { useConfig } from '#shared/data/config/use-config.ts'
import { useLiveCache } from '#shared/realtime/use-live-cache.ts'
import { useTitle } from '#shared/hooks/use-title.ts'
import { useLoginSession } from '#shared/session.tsx'
import { TEXTS } from '#shared/texts.ts'
import { Logo } from '#shared/ui/logo.tsx'
import { Notice } from '#shared/ui/notice.tsx'
import { PageSpinner } from '#shared/ui/spinner.tsx'
import { EmptyState } from '#shared/ui/states.tsx'
import { ThemeToggle } from '#shared/ui/theme-toggle.tsx'
import { TextField } from '#shared/ui/text-field.tsx'
import { useManyLinhas } from '#shared/conta/linhas.ts'
import { LinhaChoice } from '#shared/linhas/linha-choice.tsx'
import { CompanyPhone } from './company-phone.tsx'
import { CustomerPhone } from './customer-phone.tsx'
import { type SimulatedLine, useSimulatedSession } from './simulated-line.ts'
import {
  type SimuladorCustomer,
  isSameCustomer,
  isValidPhone,
  newSimuladorCustomer,
  readCustomers,
  storeCustomer,
} from './simulated-customers.ts'

interface CustomerPickerProps {
  readonly cliente: SimuladorCustomer
  readonly clientes: readonly SimuladorCustomer[]
  readonly onChange: (customer: SimuladorCustomer) => void
}

const CHIP_CLASS = 'inline-flex min-h-9 flex-none items-center gap-1.5 rounded-full border px-3 text-sm font-semibold'

function CustomerPicker({ cliente, clientes, onChange }: CustomerPickerProps) {
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

export function SimuladorScreen() {
  const { usuario } = useLoginSession()
  useTitle('Simulador')
  if (usuario === null) return <PageSpinner />
  const allowed = usuario.tipo === 'admin' || usuario.componentesPermitidos.configuracaoGeral
  return (
    <div className="flex h-(--altura) flex-col">
      <a href="#conteudo" className="skip btn btn-primary">
        Pular para o conteúdo
      </a>
      <header className="flex h-14 flex-none items-center gap-2 border-b border-line px-2 sm:px-6">
        <Link to="/dashboard" className="btn btn-ghost min-h-11">
          <ArrowLeft size={18} aria-hidden />
          <span className="max-sm:sr-only">Voltar ao painel</span>
        </Link>
        <h1 className="mr-auto text-lg font-bold">Simulador</h1>
        <span className="max-sm:hidden">
          <Logo />
        </span>
        <ThemeToggle />
      </header>
      <TestMode />
      <main id="conteudo" tabIndex={-1} className="min-h-0 flex-1 overflow-y-auto outline-none">
        {allowed ? (
          <SimuladorContent />
        ) : (
          <EmptyState
            title={TEXTS.acessoRestrito}
            icon={<Lock size={22} aria-hidden />}
            action={
              <Link to="/dashboard" className="btn btn-outline">
                Voltar ao painel
              </Link>
            }
          >
            {TEXTS.semPermissao}
          </EmptyState>
        )}
      </main>
    </div>
  )
}

function SimuladorContent() {
  useLiveCache()
  const linhas = useManyLinhas()
  const [chosen, setChosen] = useState('')
  const linha = linhas.find(({ id }) => id === chosen) ?? linhas[0]
  const line: SimulatedLine = linha === undefined || linha.principal ? {} : { linhaId: linha.id }
  const session = useSimulatedSession(linha)
  const [customers, setCustomers] = useState(readCustomers)
  const [customer, setCustomer] = useState<SimuladorCustomer>(() => customers[0] ?? { nome: '', telefone: '' })
  return (
    <div className="mx-auto flex min-h-full max-w-6xl flex-col gap-3 p-3 sm:p-6 lg:grid lg:grid-cols-[24rem_minmax(0,1fr)] lg:items-start lg:gap-8">
      <div className="grid gap-3 lg:gap-5">
        <p className="text-sm text-muted max-lg:sr-only">
          Aqui você é o celular: o da empresa, que escaneia o código, e o de qualquer cliente que escreve. Quem responde
          é o seu bot de verdade, com a configuração salva, e as respostas contam no limite do dia.
        </p>
        {linha !== undefined && <LinhaChoice linhas={linhas} value={linha.id} onChange={setChosen} />}
        <OtherConnector linha={linha} />
        <CompanyPhone key={linha?.id} {...{ line, session }} />
        <CustomerPicker cliente={customer} clientes={customers} onChange={setCustomer} />
      </div>
      <CustomerPhone
        {...{ line, session }}
        cliente={customer}
        onWrote={() => setCustomers(storeCustomer(customers, customer))}
      />
    </div>
  )
}

function OtherConnector({ linha }: { readonly linha: Linha | undefined }) {
  const { config, source } = useConfig()
  const conector = linha?.conector ?? config?.whatsapp.conector ?? ''
  if (source !== 'servidor' || connectorOf(conector)?.pairing === 'simulated') return null
  return (
    <Notice
      tone="espera"
      title={linha === undefined ? 'Sua conta usa outro conector' : `${linha.nome} usa outro conector`}
    >
      O bot está ligado a um WhatsApp de verdade, e esta página não fala com ele. Para treinar aqui, escolha “Simulador”
      como conector na{' '}
      <Link to="/dashboard" search={{ aba: 'geral' }} className="underline">
        aba Geral
      </Link>{' '}
      e inicie o bot.
    </Notice>
  )
}
