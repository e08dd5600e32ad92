import { type FormEvent, useState } from 'react'
import type { SegurancaConta } from '@balcao/contract/entities/identidade'
import { salvarSegurancaContaRoute } from '@balcao/contract/routes/sessoes'
import { useTitle } from '#shared/hooks/use-title.ts'
import { useLoginSession } from '#shared/session.tsx'
import { PageSpinner } from '#shared/ui/spinner.tsx'
import { call } from '#shared/api-client.ts'
import { Button } from '#shared/ui/button.tsx'
import { Card } from '#shared/ui/card.tsx'
import { Select } from '#shared/ui/select.tsx'
import { QueryState, Skeleton } from '#shared/ui/states.tsx'
import { TextField } from '#shared/ui/text-field.tsx'
import { PasskeysCard } from './passkeys-card.tsx'
import { PageFrame } from './page-frame.tsx'
import { SecondFactorCard } from './second-factor-card.tsx'
import { useRules, useSegurancaAct } from './seguranca-queries.ts'
import { SessionsCard } from './sessions-card.tsx'

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
    <PageFrame title="Segurança" home={usuario.tipo === 'admin' ? '/admin' : '/dashboard'}>
      <SecondFactorCard />
      <PasskeysCard />
      <SessionsCard />
      {usuario.tipo === 'usuario' && <RulesCard />}
    </PageFrame>
  )
}
