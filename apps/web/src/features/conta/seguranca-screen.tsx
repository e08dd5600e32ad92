import { Link } from '@tanstack/react-router'
import { ArrowLeft } from 'lucide-react'
import { type FormEvent, useState } from 'react'
import type { MetodoLogin, SegurancaConta, Sessao } from '@balcao/contract/entities/identidade'
import {
  encerrarOutrasSessoesRoute,
  encerrarSessaoRoute,
  salvarSegurancaContaRoute,
} from '@balcao/contract/routes/sessoes'
import { useTitle } from '#shared/hooks/use-title.ts'
import { useLoginSession } from '#shared/session.tsx'
import { PageSpinner } from '#shared/ui/spinner.tsx'
import { ThemeToggle } from '#shared/ui/theme-toggle.tsx'
import { call } from '#shared/api-client.ts'
import { Button } from '#shared/ui/button.tsx'
import { Card } from '#shared/ui/card.tsx'
import { Select } from '#shared/ui/select.tsx'
import { QueryState, Skeleton } from '#shared/ui/states.tsx'
import { TextField } from '#shared/ui/text-field.tsx'
import { formatDateTime } from '#shared/format.ts'
import { Chip } from '#shared/ui/chip.tsx'
import { ConfirmDialog } from '#shared/ui/confirm-dialog.tsx'
import { PasskeysCard } from './passkeys-card.tsx'
import { SecondFactorCard } from './second-factor-card.tsx'
import { useRules, useSegurancaAct, useSessions } from './seguranca-queries.ts'

const ENTERED_WITH: Readonly<Record<MetodoLogin, string>> = {
  senha: 'senha',
  totp: 'senha e código',
  passkey: 'chave de acesso',
  recuperacao: 'código de recuperação',
}

function SessionsCard() {
  const query = useSessions()
  const [asking, setAsking] = useState(false)
  const end = useSegurancaAct((id: string) => call(encerrarSessaoRoute, { params: { id } }), 'Sessão encerrada.')
  const endOthers = useSegurancaAct(() => call(encerrarOutrasSessoesRoute, {}), 'As outras sessões foram encerradas.')
  return (
    <Card heading="Onde você está conectado">
      <QueryState query={query} skeleton={<Skeleton className="h-32 w-full" />}>
        {(sessoes) => (
          <>
            <ul aria-label="Sessões" className="divide-y divide-line border-y border-line">
              {sessoes.map((sessao) => (
                <SessaoRow
                  key={sessao.id}
                  sessao={sessao}
                  busy={end.isPending && end.variables === sessao.id}
                  onEnd={() => end.mutate(sessao.id)}
                />
              ))}
            </ul>
            {sessoes.length > 1 ? (
              <Button className="mt-4" size="touch" busy={endOthers.isPending} onClick={() => setAsking(true)}>
                Encerrar os outros
              </Button>
            ) : (
              <p className="mt-3 text-sm text-muted">Nenhum outro aparelho está conectado.</p>
            )}
          </>
        )}
      </QueryState>
      <ConfirmDialog
        open={asking}
        title="Encerrar os outros aparelhos?"
        confirmLabel="Encerrar os outros"
        onConfirm={() => endOthers.mutate(undefined)}
        onClose={() => setAsking(false)}
      >
        Eles saem do painel na hora e precisam entrar de novo. Este aparelho continua.
      </ConfirmDialog>
    </Card>
  )
}

function SessaoRow({ sessao, busy, onEnd }: { sessao: Sessao; busy: boolean; onEnd: () => void }) {
  const { atual, aparelho, ip, ultimoUso, criadaEm, metodo } = sessao
  const name = aparelho === '' ? 'Aparelho desconhecido' : aparelho
  return (
    <li className="flex flex-wrap items-center gap-x-4 gap-y-2 py-3">
      <div className="min-w-52 flex-1">
        <p className="flex flex-wrap items-center gap-2 font-semibold">
          {name}
          {atual && <Chip tone="verde">Este aparelho</Chip>}
        </p>
        <p className="text-sm text-muted">
          Último uso em <time dateTime={ultimoUso}>{formatDateTime(ultimoUso)}</time>
        </p>
        <p className="text-sm break-all text-muted">
          Entrou em <time dateTime={criadaEm}>{formatDateTime(criadaEm)}</time> com {ENTERED_WITH[metodo]}, do endereço{' '}
          {ip}
        </p>
      </div>
      {!atual && (
        <Button size="touch" busy={busy} aria-label={`Encerrar ${name}`} onClick={onEnd}>
          Encerrar
        </Button>
      )}
    </li>
  )
}

const WHO = [
  { valor: 'ninguem', rotulo: 'Ninguém: cada pessoa escolhe' },
  { valor: 'donos', rotulo: 'Só eu' },
  { valor: 'todos', rotulo: 'Eu e toda a equipe' },
] as const

const HOURS_MAX = 720

function RulesCard() {
  const query = useRules()
  return (
    <Card heading="Regras da loja">
      <QueryState query={query} skeleton={<Skeleton className="h-40 w-full" />}>
        {(rules) => <RulesForm key={rules.versao} stored={rules} />}
      </QueryState>
    </Card>
  )
}

function RulesForm({ stored }: { stored: SegurancaConta }) {
  const [who, setWho] = useState(stored.exigirSegundoFator)
  const [hours, setHours] = useState(String(stored.sessaoHoras))
  const { mutate, isPending } = useSegurancaAct(
    (body: SegurancaConta) => call(salvarSegurancaContaRoute, { body }),
    'Regras salvas.',
  )
  const sessaoHoras = Number(hours)
  const valid = Number.isInteger(sessaoHoras) && sessaoHoras >= 1 && sessaoHoras <= HOURS_MAX
  const submit = (event: FormEvent): void => {
    event.preventDefault()
    if (valid && !isPending) mutate({ exigirSegundoFator: who, sessaoHoras, versao: stored.versao })
  }
  return (
    <form noValidate onSubmit={submit} className="grid gap-4">
      <Select
        label="Quem precisa da verificação em duas etapas"
        value={who}
        options={WHO}
        hint="Quem ainda não tem cadastra na próxima vez que abrir o painel."
        onChange={setWho}
      />
      <TextField
        label="Horas até entrar de novo"
        type="number"
        inputMode="numeric"
        min={1}
        max={HOURS_MAX}
        value={hours}
        hint="Vale para todos. Um número menor também encurta as sessões abertas."
        error={valid ? undefined : `Informe um número inteiro, de 1 a ${HOURS_MAX}`}
        onChange={({ currentTarget }) => setHours(currentTarget.value)}
      />
      <div>
        <Button type="submit" variant="primary" size="touch" busy={isPending} disabled={!valid}>
          {isPending ? 'Salvando…' : 'Salvar'}
        </Button>
      </div>
    </form>
  )
}

export function SegurancaScreen() {
  const { usuario } = useLoginSession()
  useTitle('Segurança')
  if (usuario === null) return <PageSpinner />
  return (
    <div className="min-h-dvh">
      <a href="#conteudo" className="skip btn btn-primary">
        Pular para o conteúdo
      </a>
      <header className="sticky top-0 z-20 flex h-14 items-center gap-2 border-b border-line bg-bg px-2 sm:px-6">
        <Link to={usuario.tipo === 'admin' ? '/admin' : '/dashboard'} className="btn btn-ghost min-h-11">
          <ArrowLeft size={18} aria-hidden />
          <span className="max-sm:sr-only">Voltar ao painel</span>
        </Link>
        <h1 className="mr-auto text-lg font-bold">Segurança</h1>
        <ThemeToggle />
      </header>
      <main
        id="conteudo"
        tabIndex={-1}
        className="mx-auto grid max-w-3xl grid-cols-[minmax(0,1fr)] gap-5 p-3 pb-16 outline-none sm:p-6"
      >
        <SecondFactorCard />
        <PasskeysCard />
        <SessionsCard />
        {usuario.tipo === 'usuario' && <RulesCard />}
      </main>
    </div>
  )
}
