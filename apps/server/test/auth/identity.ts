import { novoTotpSchema } from '@balcao/contract/entities/identidade'
import { desafioSchema } from '@balcao/contract/entities/segundo-fator'
import {
  confirmarTotpRoute,
  criarPasskeyRoute,
  opcoesNovaPasskeyRoute,
  opcoesPasskeyRoute,
} from '@balcao/contract/routes/segundo-fator'
import type { RequestOptions, WholeAnswer } from '#test/app.ts'
import { type Authenticator, createAuthenticator } from './authenticator.ts'
import { codeAt } from './code-at.ts'

/** Steps of a person with a second factor, through the API. */

export type Send = (method: string, path: string, options?: RequestOptions) => Promise<WholeAnswer>

/** Switches the authenticator app on. */
export async function enrolTotp(
  send: Send,
  token: string,
  now: () => Date,
): Promise<{ readonly segredo: string; readonly recuperacao: readonly string[] }> {
  const started = await send('POST', '/auth/totp', { token })
  const { segredo } = novoTotpSchema.parse(started.body)
  const { status, body, text } = await send('POST', '/auth/totp/confirmar', {
    token,
    body: { codigo: codeAt(segredo, now()) },
  })
  if (status !== 200) throw new Error(`app not confirmed: ${status} ${text}`)
  return { segredo, recuperacao: confirmarTotpRoute.response.parse(body).recuperacao }
}

/** First step of a login with a second factor. */
export async function openDesafio(
  send: Send,
  login: { readonly email: string; readonly senha: string; readonly lembrar?: boolean },
): Promise<ReturnType<typeof desafioSchema.parse>> {
  const { status, body, text } = await send('POST', '/auth/login', { body: login })
  if (status !== 202) throw new Error(`no second step: ${status} ${text}`)
  return desafioSchema.parse(body)
}

export async function passkeyOptions(send: Send): Promise<ReturnType<typeof opcoesPasskeyRoute.response.parse>> {
  return opcoesPasskeyRoute.response.parse((await send('POST', '/auth/passkey/opcoes')).body)
}

export async function enrolPasskey(
  send: Send,
  token: string,
  origin: string,
): Promise<ReturnType<typeof criarPasskeyRoute.response.parse> & { readonly authenticator: Authenticator }> {
  const { opcoes } = opcoesNovaPasskeyRoute.response.parse(
    (await send('POST', '/auth/passkeys/opcoes', { token })).body,
  )
  const authenticator = createAuthenticator()
  const credencial = authenticator.register({ challenge: opcoes.challenge, rpId: opcoes.rp.id, origin })
  const { status, body, text } = await send('POST', '/auth/passkeys', { token, body: { nome: 'Celular', credencial } })
  if (status !== 201) throw new Error(`passkey refused: ${status} ${text}`)
  return { ...criarPasskeyRoute.response.parse(body), authenticator }
}
