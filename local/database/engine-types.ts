/** A running database engine. */
export type Engine = {
  readonly endpoint: string;
  stop(): Promise<void>;
};

export type EngineOptions = {
  readonly folder: string;
  /** Keep nothing: remove the folder when the engine ends, even if this process is killed. */
  readonly scratch: boolean;
  readonly log: (line: string) => void;
  /** Called once when the engine cannot be kept alive. */
  readonly onFailure: (error: Error) => void;
};
