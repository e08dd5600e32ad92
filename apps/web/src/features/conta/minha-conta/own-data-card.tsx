import { salvarEuRoute } from '@balcao/contract/routes/auth'
import type { Usuario } from '@balcao/contract/entities/usuario'
import { type FormEvent, useState } from 'react'
import { ApiError, call } from '#shared/api-client.ts'
import { notify } from '#shared/avisos.ts'
import { servesNoLinha } from '#shared/conta/linha-look.ts'
import { useManyLinhas } from '#shared/conta/linhas.ts'
import { useLoginSession } from '#shared/session.tsx'
import { TEXTS } from '#shared/texts.ts'
import { Button } from '#shared/ui/button.tsx'
import { Card } from '#shared/ui/card.tsx'
import { TextField } from '#shared/ui/text-field.tsx'

type Errors = Readonly<Record<string, string | undefined>>

function errorsOf(error: unknown): Errors {
  if (!(error instanceof ApiError)) throw error
  const details = error.dados.detalhes ?? []
  if (details.length === 0) notify.erro(error.message)
  return Object.fromEntries(details.map(({ caminho, mensagem }) => [caminho, mensagem]))
}

const names = new Intl.ListFormat('pt-BR')

/** Nothing with one line. */
function OwnLinhas({ own }: { own: readonly string[] }) {
  const linhas = useManyLinhas()
  if (servesNoLinha(own)) {
    return (
      <p className="text-sm text-warn-ink">
        A linha que você atendia foi excluída. Peça a quem cuida da conta para escolher outra.
      </p>
    )
  }
  if (linhas.length === 0) return null
  const served = linhas.filter(({ id }) => own.includes(id)).map(({ nome }) => nome)
  return (
    <p className="text-sm text-muted">
      {own.length === 0
        ? 'Você atende todas as linhas.'
        : `Você atende ${served.length === 1 ? 'a linha' : 'as linhas'} ${names.format(served)}.`}
    </p>
  )
}

export function OwnDataCard({ usuario }: { usuario: Usuario }) {
  const { changed } = useLoginSession()
  const [nome, setNome] = useState(usuario.nome)
  const [telefone, setTelefone] = useState(usuario.telefone)
  const [errors, setErrors] = useState<Errors>({})
  const [busy, setBusy] = useState(false)

  async function save(event: FormEvent): Promise<void> {
    event.preventDefault()
    if (busy) return
    if (nome.trim() === '') return setErrors({ nome: TEXTS.nomeObrigatorio })
    setErrors({})
    setBusy(true)
    try {
      const answer = await call(salvarEuRoute, { body: { nome, telefone } })
      changed(answer.usuario)
      notify.sucesso('Seus dados foram salvos.')
    } catch (error) {
      setErrors(errorsOf(error))
    }
    setBusy(false)
  }

  return (
    <Card heading="Seus dados">
      <form noValidate className="grid gap-4" onSubmit={(event) => void save(event)}>
        <TextField
          label="Nome"
          name="nome"
          autoComplete="name"
          required
          maxLength={120}
          value={nome}
          error={errors['nome']}
          hint="É o nome que a equipe vê nas conversas."
          onChange={({ currentTarget }) => setNome(currentTarget.value)}
        />
        <TextField
          label="Telefone"
          name="telefone"
          type="tel"
          autoComplete="tel"
          maxLength={25}
          value={telefone}
          error={errors['telefone']}
          onChange={({ currentTarget }) => setTelefone(currentTarget.value)}
        />
        <p className="text-sm break-all text-muted">
          Você entra com {usuario.email}.{' '}
          {usuario.tipo === 'operador' ? 'Quem cuida da conta pode trocar o e-mail.' : 'O e-mail não muda por aqui.'}
        </p>
        {usuario.tipo === 'operador' && <OwnLinhas own={usuario.linhas ?? []} />}
        <div>
          <Button type="submit" variant="primary" size="touch" busy={busy}>
            {busy ? 'Salvando…' : 'Salvar'}
          </Button>
        </div>
      </form>
    </Card>
  )
}
