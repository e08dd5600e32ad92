import { resolve } from 'node:path'
import { parseArgs } from 'node:util'
import type { RestoreDecision } from '@balcao/contract/entities/sistema-admin'
import { copy, exportTo, hold, importFrom, release } from './cli/backup.ts'
import { cancelContaMove, confirmContaMove, exportContaTo, importContaFrom } from './cli/move-conta.ts'
import { adminPassword, reseal } from './cli/secrets.ts'
import { parseEnv } from './env.ts'

const USAGE = `Uso: npm run db:export -- <arquivo>
     npm run db:import -- <arquivo> [--ligar]
     npm run db:export -- --conta <id> <arquivo> [--parar]
     npm run db:export -- --conta <id> --cancelar
     npm run db:export -- --conta <id> --confirmar <recibo>
     npm run db:import -- --conta <arquivo>
     npm run db:restaurada [-- <instante dos dados>]
     npm run db:liberar -- --descartar | --enviar`
const USAGE_SENHA = 'Uso: npm run admin:senha -- <e-mail> [--sem-segundo-fator]'

const WITHOUT_FACTOR = '--sem-segundo-fator'

function decisionOf(flag: string | undefined): RestoreDecision {
  if (flag === '--descartar') return 'descartar'
  if (flag === '--enviar') return 'enviar'
  throw new Error(USAGE)
}

const EXPORT_OPTIONS = {
  conta: { type: 'string' },
  parar: { type: 'boolean', default: false },
  cancelar: { type: 'boolean', default: false },
  confirmar: { type: 'string' },
} as const
const IMPORT_OPTIONS = {
  conta: { type: 'boolean', default: false },
  ligar: { type: 'boolean', default: false },
} as const

function parsed<T>(parse: () => T): T {
  try {
    return parse()
  } catch {
    throw new Error(USAGE)
  }
}

async function runExport(args: string[]): Promise<void> {
  const { values, positionals } = parsed(() => parseArgs({ args, options: EXPORT_OPTIONS, allowPositionals: true }))
  const { conta: contaId, parar: stop, cancelar: cancel, confirmar: receipt } = values
  const [file, ...rest] = positionals
  if (rest.length > 0) throw new Error(USAGE)
  if (contaId !== undefined) return runMove(contaId, { file, stop, cancel, receipt })
  if (file === undefined || stop || cancel || receipt !== undefined) throw new Error(USAGE)
  return exportTo(parseEnv(process.env), resolve(file))
}

interface MoveArguments {
  readonly file: string | undefined
  readonly stop: boolean
  readonly cancel: boolean
  readonly receipt: string | undefined
}

async function runMove(contaId: string, { file, stop, cancel, receipt }: MoveArguments): Promise<void> {
  const orders = [file !== undefined, cancel, receipt !== undefined].filter(Boolean)
  if (orders.length !== 1) throw new Error(USAGE)
  const env = parseEnv(process.env)
  if (file !== undefined) return exportContaTo(env, resolve(file), { contaId, stop })
  return receipt === undefined ? cancelContaMove(env, contaId) : confirmContaMove(env, contaId, receipt)
}

async function runImport(args: string[]): Promise<void> {
  const { values, positionals } = parsed(() => parseArgs({ args, options: IMPORT_OPTIONS, allowPositionals: true }))
  const [file, ...rest] = positionals
  if (file === undefined || rest.length > 0 || (values.conta && values.ligar)) throw new Error(USAGE)
  const env = parseEnv(process.env)
  return values.conta ? importContaFrom(env, resolve(file)) : importFrom(env, resolve(file), values.ligar)
}

async function main([command, ...args]: readonly string[]): Promise<void> {
  const [first] = args
  if (command === 'export') return runExport(args)
  if (command === 'import') return runImport(args)
  if (command === 'reseal') return reseal(parseEnv(process.env))
  if (command === 'copia') return copy(parseEnv(process.env))
  if (command === 'restaurada') return hold(parseEnv(process.env), first)
  if (command === 'liberar') return release(parseEnv(process.env), decisionOf(first))
  if (command === 'senha') {
    const [, flag, ...rest] = args
    if (first === undefined || rest.length > 0 || (flag !== undefined && flag !== WITHOUT_FACTOR)) {
      throw new Error(USAGE_SENHA)
    }
    return adminPassword(parseEnv(process.env), first, { removeFactor: flag === WITHOUT_FACTOR })
  }
  throw new Error(USAGE)
}

try {
  await main(process.argv.slice(2))
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`)
  process.exitCode = 1
}
