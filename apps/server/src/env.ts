import { isIP } from 'node:net'
import { hostname } from 'node:os'
import { join, resolve } from 'node:path'
import * as z from 'zod/mini'
import { CONECTORES } from '@balcao/contract/constants'
import { REQUESTS_PER_CONTA } from '#http/limits/conta-limit.ts'

const optionalText = z.optional(z.string())
const optionalUrl = z.optional(z.url({ protocol: /^https?$/ }))

/** With an optional port. */
const HOST_NAME = /^[a-z0-9-]+(?:\.[a-z0-9-]+)*(?::\d{1,5})?$/i

const splitHosts = (text: string): string[] =>
  text
    .split(',')
    .map((host) => host.trim())
    .filter((host) => host !== '')

const envSchema = z.object({
  PORT: z._default(z.coerce.number().check(z.int(), z.gte(0), z.lte(65_535)), 3000),
  HOST: z._default(z.string(), '127.0.0.1'),
  DATA_DIR: z._default(z.string(), './data'),
  ARQUIVOS_DIR: optionalText,
  /** S3 bucket instead of ARQUIVOS_DIR. Without an endpoint, Amazon's of the region. */
  S3_BUCKET: optionalText,
  S3_ENDPOINT: optionalUrl,
  S3_REGION: z._default(z.string(), 'us-east-1'),
  S3_ACCESS_KEY_ID: optionalText,
  S3_SECRET_ACCESS_KEY: optionalText,
  /** `endpoint/bucket` instead of `bucket.endpoint`. Default when an endpoint is given. */
  S3_PATH_STYLE: z.optional(z.enum(['true', 'false', '1', '0'])),
  /** Hosts separated by commas: the one that can be written to is used. */
  DATABASE_URL: optionalText,
  /** Accepted and not used: PostgreSQL carries the packets between nodes. */
  REDIS_URL: optionalText,
  APP_SECRET: optionalText,
  ADMIN_EMAIL: optionalText,
  ADMIN_SENHA: optionalText,
  SMTP_URL: optionalText,
  SMTP_DE: z._default(z.string(), 'Balcão <nao-responda@balcao.local>'),
  URL_PUBLICA: optionalText,
  /** Number of proxies in front of the server, or their addresses and networks. `true` is one proxy. */
  TRUST_PROXY: z.optional(z.string().check(z.refine(isTrustProxy, 'quantos proxies, ou seus endereços e redes'))),
  /** Requests a second of one account. Twice as many simulated messages. */
  REQUISICOES_POR_CONTA: z._default(z.coerce.number().check(z.int(), z.gte(1), z.lte(100_000)), REQUESTS_PER_CONTA),
  METRICS_TOKEN: optionalText,
  NO_NOME: z.optional(z.string().check(z.regex(/^[\w.:-]{1,100}$/, 'até 100 letras, números, . : _ ou -'))),
  CONECTOR_PADRAO: z._default(z.enum(CONECTORES), 'simulador'),
  GEMINI_BASE_URL: optionalUrl,
  OPENAI_BASE_URL: optionalUrl,
  ANTHROPIC_BASE_URL: optionalUrl,
  /** Tests only: a `compativel` provider may also be http on this machine. */
  IA_LOOPBACK: z.optional(z.enum(['0', '1'])),
  LOG_LEVEL: z._default(z.enum(['silent', 'error', 'warn', 'info', 'debug']), 'info'),
  /** Key of the backups: encrypts `db:export`, decrypts `db:import`. */
  BALCAO_BACKUP_CHAVE: optionalText,
  /** `sim`: copies and exports of several accounts may stay without a key. */
  COPIA_SEM_CIFRA: optionalText,
  /** Folder of the scheduled copies. Without it none are made. */
  COPIA_DIR: optionalText,
  COPIA_HORAS: z._default(z.coerce.number().check(z.int(), z.gte(1), z.lte(720)), 24),
  /** Copies kept, at most 30 days each. */
  COPIA_MANTER: z._default(z.coerce.number().check(z.int(), z.gte(1), z.lte(720)), 7),
  /** Connections to the database, without the five for nodes, leases and packets. */
  DB_CONEXOES: z._default(z.coerce.number().check(z.int(), z.gte(2), z.lte(100)), 16),
  /** Bots that a node starts in a second, after the first 20. */
  INICIOS_POR_S: z._default(z.coerce.number().check(z.int(), z.gte(1), z.lte(100)), 10),
  /** Seconds of service after the node became not ready, twice the interval in which a proxy checks it. */
  PARADA_ESPERA_S: z._default(z.coerce.number().check(z.int(), z.gte(0), z.lte(60)), 0),
  /** Seconds in which a node that stops gives its bots to others. */
  DRENAGEM_S: z._default(z.coerce.number().check(z.int(), z.gte(0), z.lte(60)), 0),
  CHROME_PATHS: optionalText,
  /** Allows the connector `navegador` as root, then without Chrome's sandbox. For containers and tests. */
  NAVEGADOR_COMO_ROOT: z.optional(z.enum(['true', 'false', '1', '0'])),
  /** Tests only: a fake WhatsApp server on this machine. */
  WHATSAPP_WS_URL: optionalText,
  /** Graph API instead of Meta's, without version, for tests and proxies. */
  WHATSAPP_CLOUD_BASE_URL: optionalUrl,
  /** Hosts of further push services, separated by commas. */
  PUSH_SERVICOS: z._default(
    z
      .string()
      .check(
        z.refine(
          (text) => splitHosts(text).every((host) => HOST_NAME.test(host)),
          'nomes de máquinas, separados por vírgula',
        ),
      ),
    '',
  ),
  /** Networks of kitchen printers, as `192.168.0.0/24`, separated by commas. Without them no server prints. */
  IMPRESSORAS: z._default(
    z
      .string()
      .check(
        z.refine((text) => splitHosts(text).every(isAddressOrNetwork), 'endereços e redes, separados por vírgula'),
      ),
    '',
  ),
  /** Tests only: printers on this machine, at any port. */
  IMPRESSORA_LOOPBACK: z.optional(z.enum(['0', '1'])),
  /** Tests only: notices also go to push services on this machine. */
  PUSH_LOOPBACK: z.optional(z.enum(['0', '1'])),
  /** Tests only: the assistant also reads sites on this machine. */
  FONTES_LOOPBACK: z.optional(z.enum(['0', '1'])),
  /** Crash tests only: `point:n` ends the process at the n-th pass. */
  FALHA: optionalText,
  /** Clock tests only: the clock of the system is ahead by this many milliseconds. */
  RELOGIO_MS: z._default(z.coerce.number().check(z.int()), 0),
  /** Fault tests only: `mudos` sends no packet to other nodes. */
  RECADOS: z.optional(z.enum(['mudos'])),
})

export type Env = z.output<typeof envSchema> & {
  readonly dataDir: string
  readonly arquivosDir: string
  /** ARQUIVOS_DIR is given. */
  readonly sharedFiles: boolean
  readonly copiaDir: string | undefined
  readonly noNome: string
  readonly urlPublica: string
  readonly trustProxy: number | readonly string[]
  readonly s3: S3Env | undefined
  readonly pushServices: readonly string[]
  readonly printerNetworks: readonly string[]
}

export interface S3Env {
  readonly endpoint: string
  readonly region: string
  readonly bucket: string
  readonly accessKeyId: string
  readonly secretAccessKey: string
  readonly pathStyle: boolean
}

/** Reads the environment. Throws one sentence naming the invalid variables. */
export function parseEnv(raw: NodeJS.ProcessEnv): Env {
  const given = Object.fromEntries(Object.entries(raw).filter(([, value]) => value !== ''))
  const parsed = envSchema.safeParse(given)
  if (!parsed.success) {
    const names = parsed.error.issues.map((issue) => `${issue.path.join('.')} (${issue.message})`)
    throw new Error(`Variáveis de ambiente inválidas: ${names.join(', ')}`)
  }
  const env = parsed.data
  const urlPublica = (env.URL_PUBLICA ?? `http://localhost:${env.PORT}`).replace(/\/+$/, '')
  const dataDir = resolve(env.DATA_DIR)
  const arquivosDir = resolve(env.ARQUIVOS_DIR ?? join(dataDir, 'arquivos'))
  const trustProxy = parseTrustProxy(env.TRUST_PROXY ?? 'false')
  const copiaDir = env.COPIA_DIR === undefined ? undefined : resolve(env.COPIA_DIR)
  const noNome = env.NO_NOME ?? `${hostname()}:${env.PORT}`
  const sharedFiles = env.ARQUIVOS_DIR !== undefined
  const pushServices = splitHosts(env.PUSH_SERVICOS)
  const printerNetworks = splitHosts(env.IMPRESSORAS)
  const places = { dataDir, arquivosDir, sharedFiles, copiaDir }
  return { ...env, ...places, noNome, urlPublica, trustProxy, s3: parseS3(env), pushServices, printerNetworks }
}

function parseTrustProxy(text: string): number | readonly string[] {
  if (text === 'false') return 0
  if (text === 'true') return 1
  return /^\d{1,2}$/.test(text) ? Number(text) : text.split(',').map((entry) => entry.trim())
}

function isTrustProxy(text: string): boolean {
  const parsed = parseTrustProxy(text)
  return typeof parsed === 'number' || parsed.every(isAddressOrNetwork)
}

function isAddressOrNetwork(entry: string): boolean {
  const [address = '', bits = '0', ...rest] = entry.split('/')
  const version = isIP(address)
  return version !== 0 && rest.length === 0 && /^\d{1,3}$/.test(bits) && Number(bits) <= (version === 6 ? 128 : 32)
}

function parseS3(env: z.output<typeof envSchema>): S3Env | undefined {
  const { S3_BUCKET, S3_ENDPOINT, S3_REGION, S3_ACCESS_KEY_ID, S3_SECRET_ACCESS_KEY, S3_PATH_STYLE } = env
  const required = { S3_BUCKET, S3_ACCESS_KEY_ID, S3_SECRET_ACCESS_KEY }
  if ([...Object.values(required), S3_ENDPOINT].every((value) => value === undefined)) return undefined
  if (S3_BUCKET === undefined || S3_ACCESS_KEY_ID === undefined || S3_SECRET_ACCESS_KEY === undefined) {
    const missing = Object.entries(required).flatMap(([name, value]) => (value === undefined ? [name] : []))
    throw new Error(`Variáveis de ambiente inválidas: falta ${missing.join(', ')}`)
  }
  if (env.ARQUIVOS_DIR !== undefined) {
    throw new Error('Variáveis de ambiente inválidas: escolha ARQUIVOS_DIR ou S3_BUCKET, não os dois')
  }
  return {
    endpoint: S3_ENDPOINT ?? `https://s3.${S3_REGION}.amazonaws.com`,
    region: S3_REGION,
    bucket: S3_BUCKET,
    accessKeyId: S3_ACCESS_KEY_ID,
    secretAccessKey: S3_SECRET_ACCESS_KEY,
    pathStyle: S3_PATH_STYLE === undefined ? S3_ENDPOINT !== undefined : ['true', '1'].includes(S3_PATH_STYLE),
  }
}
