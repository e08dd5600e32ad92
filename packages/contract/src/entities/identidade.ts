import * as z from 'zod/mini'
import { givenPasswordSchema, idSchema, instantSchema } from './common.ts'

/** Second factors, passkeys, login sessions and the rules of an account about them. */

export const desafioInputSchema = z
  .string('Entre de novo')
  .check(z.minLength(1, 'Entre de novo'), z.maxLength(200, 'Entre de novo'))

/** Six digits of an authenticator app. Spaces are ignored, because apps show two groups. */
export const codigoSchema = z
  .pipe(
    z.string('Digite o código').check(z.maxLength(20, 'O código tem 6 números')),
    z.transform((codigo) => codigo.replace(/\s/g, '')),
  )
  .check(z.regex(/^\d{6}$/, 'O código tem 6 números'))

/** Letters and digits of a recovery code: without those that look alike. */
export const RECUPERACAO_ALFABETO = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'

/** A recovery code as people write it: in any letter case, with or without hyphens. */
export const recuperacaoSchema = z
  .pipe(
    z
      .string('Digite o código de recuperação')
      .check(z.maxLength(40, 'O código de recuperação tem 12 letras e números')),
    z.transform((codigo) => codigo.toUpperCase().replace(/[\s-]/g, '').replaceAll('O', '0').replace(/[IL]/g, '1')),
  )
  .check(z.regex(/^[0-9A-HJKMNP-TV-Z]{12}$/, 'O código de recuperação tem 12 letras e números'))

const base64urlSchema = (max: number) => z.string().check(z.regex(/^[\w-]+$/), z.maxLength(max))

const PASSKEY_INVALIDA = 'O navegador enviou uma chave de acesso inválida. Tente de novo.'

const credentialIdSchema = base64urlSchema(1_400)

/** `PublicKeyCredential.toJSON()` after `navigator.credentials.get`. */
export const credencialSchema = z.object(
  {
    id: credentialIdSchema,
    rawId: credentialIdSchema,
    type: z.literal('public-key'),
    response: z.object({
      clientDataJSON: base64urlSchema(4_000),
      authenticatorData: base64urlSchema(4_000),
      signature: base64urlSchema(4_000),
      userHandle: z.optional(z.nullable(z.string().check(z.maxLength(200)))),
    }),
  },
  PASSKEY_INVALIDA,
)
export type Credencial = z.infer<typeof credencialSchema>

const transportesSchema = z.array(z.string().check(z.maxLength(40))).check(z.maxLength(10))

/** `PublicKeyCredential.toJSON()` after `navigator.credentials.create`. */
export const novaCredencialSchema = z.object(
  {
    id: credentialIdSchema,
    rawId: credentialIdSchema,
    type: z.literal('public-key'),
    response: z.object({
      clientDataJSON: base64urlSchema(4_000),
      attestationObject: base64urlSchema(30_000),
      transports: z.optional(transportesSchema),
    }),
  },
  PASSKEY_INVALIDA,
)
export type NovaCredencial = z.infer<typeof novaCredencialSchema>

const descritorSchema = z.object({
  id: z.string(),
  type: z.literal('public-key'),
  transports: z.optional(z.array(z.string())),
})

const userVerificationSchema = z.literal('required')

/** Options for `PublicKeyCredential.parseRequestOptionsFromJSON`. The browser offers all passkeys of the panel. */
export const opcoesPasskeySchema = z.object({
  challenge: z.string(),
  rpId: z.string(),
  timeout: z.int(),
  userVerification: userVerificationSchema,
  allowCredentials: z.optional(z.array(descritorSchema)),
})
export type OpcoesPasskey = z.infer<typeof opcoesPasskeySchema>

/** Options for `PublicKeyCredential.parseCreationOptionsFromJSON`. */
export const opcoesNovaPasskeySchema = z.object({
  rp: z.object({ id: z.string(), name: z.string() }),
  user: z.object({ id: z.string(), name: z.string(), displayName: z.string() }),
  challenge: z.string(),
  pubKeyCredParams: z.array(z.object({ type: z.literal('public-key'), alg: z.int() })),
  timeout: z.int(),
  excludeCredentials: z.array(descritorSchema),
  authenticatorSelection: z.object({
    residentKey: z.literal('required'),
    requireResidentKey: z.literal(true),
    userVerification: userVerificationSchema,
  }),
  attestation: z.literal('none'),
})
export type OpcoesNovaPasskey = z.infer<typeof opcoesNovaPasskeySchema>

export const passkeySchema = z.object({
  id: idSchema,
  nome: z.string(),
  criadaEm: instantSchema,
  ultimoUso: z.nullable(instantSchema),
})
export type Passkey = z.infer<typeof passkeySchema>

/** Ten codes, shown only once, in groups such as `ABCD-EFGH-JKMN`. */
export const codigosRecuperacaoSchema = z.object({ recuperacao: z.array(z.string()) })

/** `qr` is an SVG document of the address `uri`. Both contain the secret and are shown only once. */
export const novoTotpSchema = z.object({ segredo: z.string(), uri: z.string(), qr: z.string() })
export type NovoTotp = z.infer<typeof novoTotpSchema>

const metodoLoginSchema = z.enum(['senha', 'totp', 'passkey', 'recuperacao'])
export type MetodoLogin = z.infer<typeof metodoLoginSchema>

export const sessaoSchema = z.object({
  id: idSchema,
  atual: z.boolean(),
  criadaEm: instantSchema,
  ultimoUso: instantSchema,
  ip: z.string(),
  /** Browser and system, such as `Chrome no Windows`. Empty: unknown. */
  aparelho: z.string(),
  metodo: metodoLoginSchema,
})
export type Sessao = z.infer<typeof sessaoSchema>

export const EXIGIR_SEGUNDO_FATOR = ['ninguem', 'donos', 'todos'] as const

const exigirSegundoFatorSchema = z.enum(EXIGIR_SEGUNDO_FATOR, 'Escolha quem precisa da verificação em duas etapas')

/** Hours after which a login ends, at most. Default 720: 12 hours, or 30 days with 'Lembrar-me'. */
const sessaoHorasSchema = z
  .int('Informe um número inteiro de horas')
  .check(z.gte(1, 'O mínimo é 1 hora'), z.lte(720, 'O máximo é 720 horas (30 dias)'))

export const segurancaContaSchema = z.object({
  exigirSegundoFator: exigirSegundoFatorSchema,
  sessaoHoras: sessaoHorasSchema,
  versao: z.int(),
})
export type SegurancaConta = z.infer<typeof segurancaContaSchema>

/** Absent fields keep their value. Without `versao` the last writer wins. */
export const segurancaContaInputSchema = z
  .partial(segurancaContaSchema)
  .check(
    z.refine(
      ({ exigirSegundoFator, sessaoHoras }) => exigirSegundoFator !== undefined || sessaoHoras !== undefined,
      'Informe o que deve mudar',
    ),
  )

type Given<T> = { readonly [K in keyof T]?: T[K] | undefined }

/** A proof of identity that a person sends. */
export type GivenProof =
  | { readonly tipo: 'senha'; readonly senha: string }
  | { readonly tipo: 'codigo'; readonly codigo: string }
  | { readonly tipo: 'recuperacao'; readonly recuperacao: string }
  | { readonly tipo: 'credencial'; readonly credencial: Credencial }

/** The proofs of a body, of which a route accepts exactly one. */
export function givenProofs(
  body: Given<{ senha: string; codigo: string; recuperacao: string; credencial: Credencial }>,
): readonly GivenProof[] {
  const { senha, codigo, recuperacao, credencial } = body
  return [
    ...(senha === undefined ? [] : [{ tipo: 'senha' as const, senha }]),
    ...(codigo === undefined ? [] : [{ tipo: 'codigo' as const, codigo }]),
    ...(recuperacao === undefined ? [] : [{ tipo: 'recuperacao' as const, recuperacao }]),
    ...(credencial === undefined ? [] : [{ tipo: 'credencial' as const, credencial }]),
  ]
}

const UMA_PROVA = 'Envie uma forma de confirmação'

/** Exactly one of `codigo`, `recuperacao` and `credencial`. */
export const segundoFatorInputSchema = z
  .object({
    desafio: desafioInputSchema,
    codigo: z.optional(codigoSchema),
    recuperacao: z.optional(recuperacaoSchema),
    credencial: z.optional(credencialSchema),
  })
  .check(z.refine((body) => givenProofs(body).length === 1, UMA_PROVA))

/** Exactly one of `senha`, `codigo` and `credencial`. */
export const confirmarInputSchema = z
  .object({
    senha: z.optional(givenPasswordSchema),
    codigo: z.optional(codigoSchema),
    credencial: z.optional(credencialSchema),
  })
  .check(z.refine((body) => givenProofs(body).length === 1, UMA_PROVA))
